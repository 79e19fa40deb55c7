//! Patterns that look around, in linear time: each assertion is first decided for every place of
//! the text, then the pattern runs with these decisions at hand.

use super::classes::{Set, is_word};
use super::parse::Node;
use crate::text::Span;

/// More steps than this are no pattern that anyone wrote.
const LARGEST: usize = 20_000;

/// A pattern, read either way: backwards for where it begins, forwards for where it ends.
#[derive(Debug)]
pub(super) struct Automaton {
    backwards: Way,
    forwards: Way,
}

/// A pattern in one direction, and the assertions in it, inner ones first.
#[derive(Debug)]
struct Way {
    program: Program,
    looks: Vec<Look>,
}

#[derive(Debug)]
struct Look {
    ahead: bool,
    wanted: bool,
    program: Program,
}

#[derive(Debug, Default)]
struct Program(Vec<Step>);

#[derive(Debug, Clone)]
enum Step {
    Take(Set),
    Split(usize, usize),
    Jump(usize),
    Start,
    End,
    Boundary(bool),
    Look(usize),
    Done,
}

impl Automaton {
    pub(super) fn new(node: &Node) -> Result<Self, String> {
        Ok(Self { backwards: Way::new(node, true)?, forwards: Way::new(node, false)? })
    }

    /// The first match, as far as it reaches at most.
    pub(super) fn find(&self, text: &str) -> Option<Span> {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let start = self.backwards.ends(&chars, true, None).iter().position(|starts| *starts)?;
        let end = self.forwards.ends(&chars, false, Some(start)).iter().rposition(|ends| *ends).unwrap_or(start);
        let offset = |at: usize| chars.get(at).map_or(text.len(), |(offset, _)| *offset);
        Some(Span::new(offset(start), offset(end)))
    }
}

impl Way {
    fn new(node: &Node, backwards: bool) -> Result<Self, String> {
        let mut looks = Vec::new();
        let program = Program::new(node, backwards, &mut looks)?;
        Ok(Self { program, looks })
    }

    fn ends(&self, chars: &[(usize, char)], backwards: bool, from: Option<usize>) -> Vec<bool> {
        let mut decided: Vec<Vec<bool>> = Vec::new();
        for look in &self.looks {
            // What looks ahead is decided from the end of the text.
            let holds = look.program.ends(chars, &decided, look.ahead, None);
            decided.push(holds.into_iter().map(|holds| holds == look.wanted).collect());
        }
        self.program.ends(chars, &decided, backwards, from)
    }
}

impl Program {
    fn new(node: &Node, backwards: bool, looks: &mut Vec<Look>) -> Result<Self, String> {
        let mut program = Self::default();
        program.add(node, backwards, looks)?;
        program.0.push(Step::Done);
        Ok(program)
    }

    fn add(&mut self, node: &Node, backwards: bool, looks: &mut Vec<Look>) -> Result<(), String> {
        if self.0.len() > LARGEST {
            return Err("it is too large".to_owned());
        }
        match node {
            Node::Empty => {}
            Node::Set(set) => self.0.push(Step::Take(set.clone())),
            Node::Start => self.0.push(Step::Start),
            Node::End => self.0.push(Step::End),
            Node::Boundary(wanted) => self.0.push(Step::Boundary(*wanted)),
            Node::All(nodes) if backwards => {
                nodes.iter().rev().try_for_each(|node| self.add(node, backwards, looks))?
            }
            Node::All(nodes) => nodes.iter().try_for_each(|node| self.add(node, backwards, looks))?,
            Node::Either(nodes) => {
                let mut ends = Vec::new();
                for (at, node) in nodes.iter().enumerate() {
                    let split = self.0.len();
                    if at + 1 < nodes.len() {
                        self.0.push(Step::Split(split + 1, 0));
                    }
                    self.add(node, backwards, looks)?;
                    if at + 1 < nodes.len() {
                        ends.push(self.0.len());
                        self.0.push(Step::Jump(0));
                        self.0[split] = Step::Split(split + 1, self.0.len());
                    }
                }
                let end = self.0.len();
                ends.into_iter().for_each(|at| self.0[at] = Step::Jump(end));
            }
            Node::Repeat { node, least, most, .. } => {
                for _ in 0..*least {
                    self.add(node, backwards, looks)?;
                }
                match most {
                    None => {
                        let split = self.0.len();
                        self.0.push(Step::Split(split + 1, 0));
                        self.add(node, backwards, looks)?;
                        self.0.push(Step::Jump(split));
                        self.0[split] = Step::Split(split + 1, self.0.len());
                    }
                    Some(most) => {
                        let mut splits = Vec::new();
                        for _ in *least..*most {
                            splits.push(self.0.len());
                            self.0.push(Step::Split(self.0.len() + 1, 0));
                            self.add(node, backwards, looks)?;
                        }
                        let end = self.0.len();
                        splits.into_iter().for_each(|at| self.0[at] = Step::Split(at + 1, end));
                    }
                }
            }
            Node::Look { ahead, wanted, node } => {
                let program = Self::new(node, *ahead, looks)?;
                self.0.push(Step::Look(looks.len()));
                looks.push(Look { ahead: *ahead, wanted: *wanted, program });
            }
        }
        Ok(())
    }

    /// At which places a match ends that began anywhere, or at one place, read in one direction.
    fn ends(&self, chars: &[(usize, char)], decided: &[Vec<bool>], backwards: bool, from: Option<usize>) -> Vec<bool> {
        let mut ends = vec![false; chars.len() + 1];
        let mut current = Threads::new(self.0.len());
        let mut next = Threads::new(self.0.len());
        for step in 0..=chars.len() {
            let at = if backwards { chars.len() - step } else { step };
            if from.is_none_or(|from| from == at) {
                self.follow(0, at, chars, decided, &mut current);
            }
            let taken =
                if backwards { at.checked_sub(1).map(|at| chars[at].1) } else { chars.get(at).map(|(_, c)| *c) };
            let beyond = if backwards { at.wrapping_sub(1) } else { at + 1 };
            for thread in &current.list {
                match &self.0[*thread] {
                    Step::Done => ends[at] = true,
                    Step::Take(set) if taken.is_some_and(|c| set.contains(c)) => {
                        self.follow(thread + 1, beyond, chars, decided, &mut next);
                    }
                    _ => {}
                }
            }
            std::mem::swap(&mut current, &mut next);
            next.clear();
        }
        ends
    }

    /// Adds every step that can be reached without taking a character.
    fn follow(&self, step: usize, at: usize, chars: &[(usize, char)], decided: &[Vec<bool>], threads: &mut Threads) {
        let mut open = vec![step];
        while let Some(step) = open.pop() {
            if !threads.add(step) {
                continue;
            }
            let holds = match &self.0[step] {
                Step::Jump(to) => {
                    open.push(*to);
                    continue;
                }
                Step::Split(first, second) => {
                    open.extend([*second, *first]);
                    continue;
                }
                Step::Start => at == 0,
                Step::End => at == chars.len(),
                Step::Boundary(wanted) => {
                    let before = at.checked_sub(1).is_some_and(|at| is_word(chars[at].1));
                    let after = chars.get(at).is_some_and(|(_, c)| is_word(*c));
                    (before != after) == *wanted
                }
                Step::Look(look) => decided[*look][at],
                Step::Take(_) | Step::Done => continue,
            };
            if holds {
                open.push(step + 1);
            }
        }
    }
}

/// Steps that are reached, each once.
struct Threads {
    list: Vec<usize>,
    there: Vec<bool>,
}

impl Threads {
    fn new(size: usize) -> Self {
        Self { list: Vec::new(), there: vec![false; size] }
    }

    fn add(&mut self, step: usize) -> bool {
        let new = !self.there[step];
        if new {
            self.there[step] = true;
            self.list.push(step);
        }
        new
    }

    fn clear(&mut self) {
        self.list.drain(..).for_each(|step| self.there[step] = false);
    }
}
