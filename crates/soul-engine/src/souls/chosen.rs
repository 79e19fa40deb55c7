use std::borrow::Cow;

use soul_core::model::Dialect;

/// A dialect that is decided by something else than the text, so that no text can choose how strictly it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) dialect: Dialect,
    pub(crate) by: ChosenBy,
}

/// What decides, in the order in which it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChosenBy {
    /// The caller.
    Request,
    /// The agent's first record or session, or the last write with a dialect.
    Pin,
    /// `[agents.soul] dialect`.
    Setting,
    /// The layout that the agent is found in; this is its folder.
    Layout(&'static str),
    /// The folder of the library.
    Library,
}

impl Chosen {
    pub(crate) const fn new(dialect: Dialect, by: ChosenBy) -> Self {
        Self { dialect, by }
    }

    /// Why, to be read after "read as …:".
    pub(crate) fn reason(self) -> Cow<'static, str> {
        match self.by {
            ChosenBy::Request => "that was requested".into(),
            ChosenBy::Pin => "the agent's record pins it".into(),
            ChosenBy::Setting => "`[agents.soul] dialect` says so".into(),
            ChosenBy::Layout(folder) => format!("the agent is in `{folder}`").into(),
            ChosenBy::Library => "it is in the library".into(),
        }
    }
}
