use crate::model::Field;

/// The files beside a plain soul: name, key in JSON, and field.
pub const COMPANIONS: [(&str, &str, Field); 9] = [
    ("IDENTITY.md", "identity", Field::Card),
    ("STYLE.md", "style", Field::Style),
    ("AGENTS.md", "agents", Field::Procedure),
    ("TOOLS.md", "tools", Field::Tool),
    ("USER.md", "user", Field::User),
    ("RULES.md", "rules", Field::Limit),
    ("MEMORY.md", "memory", Field::Memory),
    ("examples/good-outputs.md", "good", Field::GoodExample),
    ("examples/bad-outputs.md", "bad", Field::BadExample),
];
