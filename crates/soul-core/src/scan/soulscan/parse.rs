//! The syntax of JavaScript's patterns without the `u` flag, into a tree.

use super::classes::{self, Set};

/// A pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Empty,
    Set(Set),
    All(Vec<Node>),
    Either(Vec<Node>),
    Repeat { node: Box<Node>, least: u32, most: Option<u32>, greedy: bool },
    Start,
    End,
    Boundary(bool),
    Look { ahead: bool, wanted: bool, node: Box<Node> },
}

impl Node {
    /// Whether it looks at what it does not match.
    pub(super) fn looks(&self) -> bool {
        match self {
            Self::Look { .. } => true,
            Self::All(nodes) | Self::Either(nodes) => nodes.iter().any(Self::looks),
            Self::Repeat { node, .. } => node.looks(),
            _ => false,
        }
    }
}

/// Groups within groups; more is nobody's pattern.
const DEEPEST: usize = 100;

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    groups: u32,
}

/// Reads a pattern.
pub(super) fn parse(source: &str) -> Result<Node, String> {
    // Units, as in the texts: a character of two is two here as well.
    let chars: Vec<char> = super::units::split(source).text.chars().collect();
    let opens = chars.iter().enumerate().filter(|(at, c)| {
        **c == '(' && at.checked_sub(1).is_none_or(|before| chars[before] != '\\') && chars.get(at + 1) != Some(&'?')
    });
    let groups = u32::try_from(opens.count()).unwrap_or(u32::MAX);
    let mut parser = Parser { at: 0, depth: 0, groups, chars };
    let node = parser.either()?;
    if parser.at < parser.chars.len() {
        return Err("a group is closed that was never opened".to_owned());
    }
    Ok(node)
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: &str) -> bool {
        let wanted: Vec<char> = wanted.chars().collect();
        let there = self.chars[self.at..].starts_with(&wanted);
        self.at += if there { wanted.len() } else { 0 };
        there
    }

    fn either(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.all()?];
        while self.take("|") {
            nodes.push(self.all()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Either(nodes) })
    }

    fn all(&mut self) -> Result<Node, String> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            let node = self.one()?;
            nodes.push(self.repeated(node)?);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::All(nodes),
        })
    }

    fn one(&mut self) -> Result<Node, String> {
        let Some(c) = self.peek() else { return Ok(Node::Empty) };
        self.at += 1;
        match c {
            '^' => Ok(Node::Start),
            '$' => Ok(Node::End),
            '.' => Ok(Node::Set(classes::dot())),
            '(' => self.group(),
            '[' => self.class().map(Node::Set),
            '\\' => self.escape(),
            '*' | '+' | '?' => Err("there is nothing to repeat".to_owned()),
            '{' if self.counts(self.at).is_some() => Err("there is nothing to repeat".to_owned()),
            c => Ok(Node::Set(classes::letter(c))),
        }
    }

    fn group(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is too deep".to_owned());
        }
        let look = [("?=", true, true), ("?!", true, false), ("?<=", false, true), ("?<!", false, false)];
        let look = look.into_iter().find(|(mark, ..)| self.take(mark));
        if look.is_none() && self.take("?<") {
            while self.peek().is_some_and(|c| c != '>') {
                self.at += 1;
            }
            if !self.take(">") {
                return Err("the name of a group is never closed".to_owned());
            }
        } else if look.is_none() && !self.take("?:") && self.peek() == Some('?') {
            return Err("a group has an unknown flag".to_owned());
        }
        let node = self.either()?;
        if !self.take(")") {
            return Err("a group is never closed".to_owned());
        }
        self.depth -= 1;
        Ok(match look {
            Some((_, ahead, wanted)) => Node::Look { ahead, wanted, node: Box::new(node) },
            None => node,
        })
    }

    /// The numbers of `{1,2}` at a place, and where it ends.
    fn counts(&self, from: usize) -> Option<(u32, Option<u32>, usize)> {
        let close = self.chars[from..].iter().take(24).position(|c| *c == '}')?;
        let text: String = self.chars[from..from + close].iter().collect();
        let (least, most) = match text.split_once(',') {
            None => (text.parse().ok()?, Some(text.parse().ok()?)),
            Some((least, "")) => (least.parse().ok()?, None),
            Some((least, most)) => (least.parse().ok()?, Some(most.parse().ok()?)),
        };
        Some((least, most, from + close + 1))
    }

    fn repeated(&mut self, node: Node) -> Result<Node, String> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counts(self.at + 1) {
                Some((least, most, end)) => {
                    self.at = end - 1;
                    (least, most)
                }
                None => return Ok(node),
            },
            _ => return Ok(node),
        };
        self.at += 1;
        if most.is_some_and(|most| most < least) {
            return Err("a repetition has a maximum below its minimum".to_owned());
        }
        let greedy = !self.take("?");
        Ok(Node::Repeat { node: Box::new(node), least, most, greedy })
    }

    fn escape(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some('b') => {
                self.at += 1;
                Ok(Node::Boundary(true))
            }
            Some('B') => {
                self.at += 1;
                Ok(Node::Boundary(false))
            }
            Some(c @ '1'..='9') if c.to_digit(10).is_some_and(|group| group <= self.groups) => {
                Err("back-references are not supported".to_owned())
            }
            Some('k') if self.chars.get(self.at + 1) == Some(&'<') => {
                Err("back-references are not supported".to_owned())
            }
            _ => Ok(Node::Set(self.escaped()?)),
        }
    }

    /// What a backslash makes of the next characters, in a class or outside.
    fn escaped(&mut self) -> Result<Set, String> {
        let c = self.peek().ok_or("it ends in a backslash")?;
        self.at += 1;
        Ok(match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => classes::named(c),
            't' => classes::letter('\t'),
            'n' => classes::letter('\n'),
            'v' => classes::letter('\u{b}'),
            'f' => classes::letter('\u{c}'),
            'r' => classes::letter('\r'),
            '0' => classes::letter('\0'),
            'c' if self.peek().is_some_and(|c| c.is_ascii_alphabetic()) => {
                let letter = self.peek().unwrap_or('@');
                self.at += 1;
                classes::letter(char::from(letter as u8 % 32))
            }
            'c' => {
                self.at -= 1;
                classes::letter('\\')
            }
            'x' => self.coded(2).map_or_else(|| classes::letter('x'), classes::letter),
            'u' => self.coded(4).map_or_else(|| classes::letter('u'), classes::letter),
            c => classes::letter(c),
        })
    }

    fn coded(&mut self, digits: usize) -> Option<char> {
        let text: String = self.chars.get(self.at..self.at + digits)?.iter().collect();
        let code = u16::from_str_radix(&text, 16).ok().filter(|_| text.chars().all(|c| c.is_ascii_hexdigit()))?;
        self.at += digits;
        Some(char::from_u32(u32::from(code)).unwrap_or_else(|| super::units::half(code)))
    }

    fn class(&mut self) -> Result<Set, String> {
        let negated = self.take("^");
        let mut set = Set::default();
        loop {
            let c = self.peek().ok_or("a class is never closed")?;
            self.at += 1;
            if c == ']' {
                break;
            }
            let first = self.member(c)?;
            let range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
            if !range {
                set.add(&first);
                continue;
            }
            self.at += 1;
            let c = self.peek().ok_or("a class is never closed")?;
            self.at += 1;
            let last = self.member(c)?;
            match (first.single(), last.single()) {
                (Some(first), Some(last)) if first <= last => set.add(&classes::range(first, last)),
                (Some(_), Some(_)) => return Err("a range goes backwards".to_owned()),
                // Beside a class such as `\w`, the hyphen is itself.
                _ => {
                    set.add(&first);
                    set.add(&classes::exact('-'));
                    set.add(&last);
                }
            }
        }
        let set = set.any_case();
        Ok(if negated { set.negated() } else { set })
    }

    fn member(&mut self, c: char) -> Result<Set, String> {
        match (c, self.peek()) {
            ('\\', Some('b')) => {
                self.at += 1;
                Ok(classes::exact('\u{8}'))
            }
            ('\\', Some('-')) => {
                self.at += 1;
                Ok(classes::exact('-'))
            }
            ('\\', _) => self.escaped(),
            _ => Ok(classes::exact(c)),
        }
    }
}
