//! A tree that does not look around, as a pattern of the regex crate.

use std::fmt::Write;

use super::parse::Node;

/// The same pattern with nothing left to defaults that differ.
pub(super) fn translate(node: &Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

fn write(node: &Node, out: &mut String) {
    match node {
        Node::Empty | Node::Look { .. } => {}
        Node::Start => out.push_str(r"\A"),
        Node::End => out.push_str(r"\z"),
        Node::Boundary(true) => out.push_str(r"(?-u:\b)"),
        Node::Boundary(false) => out.push_str(r"(?-u:\B)"),
        Node::Set(set) if set.ranges().is_empty() => out.push_str(r"[^\x{0}-\x{10ffff}]"),
        Node::Set(set) => {
            out.push('[');
            for (first, last) in set.ranges() {
                let _ = write!(out, r"\x{{{:x}}}-\x{{{:x}}}", u32::from(*first), u32::from(*last));
            }
            out.push(']');
        }
        Node::All(nodes) => nodes.iter().for_each(|node| write(node, out)),
        Node::Either(nodes) => {
            out.push_str("(?:");
            for (at, node) in nodes.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "|" });
                write(node, out);
            }
            out.push(')');
        }
        Node::Repeat { node, least, most, greedy } => {
            out.push_str("(?:");
            write(node, out);
            let _ = match most {
                Some(most) => write!(out, "){{{least},{most}}}"),
                None => write!(out, "){{{least},}}"),
            };
            out.push_str(if *greedy { "" } else { "?" });
        }
    }
}
