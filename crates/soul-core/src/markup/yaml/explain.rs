use granit_parser::ErrorKind;

/// The mistakes that people make most, in plain words, with the next step. For the rest, the
/// parser's own words must do.
pub(super) fn explain(kind: &ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            ("has a `: ` where no value can begin", "put a text with a colon in quotes")
        }
        kind if is_unclosed_quote(kind) => ("has a quote that is never closed", "close the quote"),
        ErrorKind::UnclosedFlowCollection { .. } => ("has a bracket that is never closed", "close the bracket"),
        ErrorKind::UnknownAnchor | ErrorKind::MissingAnchorOrAliasName => {
            ("has a `*` or `&` that YAML reads as a reference", "put a text that begins with `*` or `&` in quotes")
        }
        ErrorKind::UnexpectedCharacter { character: '@' | '`' } => {
            ("has a character that no YAML text can begin with", "put the text in quotes")
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart => {
            ("is indented with a tab, which YAML does not allow", "indent with spaces")
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            ("has a list where it cannot start", "start the list on its own line, or put the text in quotes")
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("has text after a closing quote", "put all of the text in quotes, and escape the quotes in it")
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("has a `\\` that escapes nothing", "write `\\\\`, or use single quotes")
        }
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry => {
            ("has a line whose indentation matches no line above it", "align it with the lines that it belongs to")
        }
        ErrorKind::SimpleKeyExpected => {
            ("has a line without a `:`", "write `key: value`, or indent the line under its key")
        }
        ErrorKind::DirectiveDisallowed => ("has a YAML directive", "delete the line that begins with `%`"),
        _ => return None,
    })
}

/// Whether the parser ran on because a quote was not closed; it notices only at the next line.
pub(super) fn is_unclosed_quote(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::DocumentIndicatorInQuotedScalar
    )
}
