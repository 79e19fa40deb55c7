#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Declares the fields once: variant, spelling, and what it means.
macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $name:ident = $spelling:literal;)+) => {
        /// What an item of a soul is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Field {
            /// Every field.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The spelling in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $spelling,)+ }
            }

            /// What the field means.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

fields! {
    /// The identifier of the soul in other systems.
    Id = "id";
    /// The display name of the agent.
    Name = "name";
    /// What the agent is, in a line or a passage.
    Role = "role";
    /// A description for people who choose a soul.
    Description = "description";
    /// The version that the author gave the soul.
    Version = "version";
    /// How the agent sounds.
    Tone = "tone";
    /// A value that the agent leans towards.
    Principle = "principle";
    /// A limit of either kind: what the agent must do, or must not do.
    Limit = "limit";
    /// What the agent must always do.
    MustAlways = "must_always";
    /// What the agent must never do.
    MustNever = "must_never";
    /// When the agent asks instead of acting.
    Escalation = "escalation";
    /// How the agent works with people and other agents.
    Collaboration = "collaboration";
    /// When and to whom the agent hands work over.
    Handoff = "handoff";
    /// How the agent treats memory and notes.
    MemoryPolicy = "memory_policy";
    /// A tool that the agent may use.
    Tool = "tool";
    /// The form of the agent's answers.
    OutputFormat = "output_format";
    /// A personality trait and its score.
    Trait = "trait";
    /// The mood that the agent starts in.
    DefaultMood = "default_mood";
    /// A mood that the agent may be in.
    Mood = "mood";
    /// A setting of the agent's voice.
    Voice = "voice";
    /// A setting of the agent's avatar.
    Avatar = "avatar";
    /// A tag.
    Tag = "tag";
    /// Data that other programs attach to the soul.
    Metadata = "metadata";
    /// A field of a persona that has no key of its own.
    Persona = "persona";
    /// A field of a package's manifest.
    Manifest = "manifest";
    /// A field that the dialect does not read, or that no other dialect knows.
    Extra = "extra";
    /// Text before the first part that the dialect reads.
    Preamble = "preamble";
    /// A section of the body whose heading no other field describes.
    Section = "section";
    /// Free text: the persona in prose.
    Body = "body";
    /// How the agent writes, at length.
    Style = "style";
    /// The card that is shown to people: name, role, picture.
    Card = "card";
    /// What the agent does, step by step.
    Procedure = "procedure";
    /// What the agent knows when it starts.
    Memory = "memory";
    /// An example of a good answer.
    GoodExample = "good_example";
    /// An example of a bad answer.
    BadExample = "bad_example";
    /// Who the agent works for.
    User = "user";
    /// Another file of a package: a skill, a tool, a hook, a picture.
    File = "file";
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = Self::ALL.iter().copied().find(|field| field.as_str() == text);
        found.ok_or_else(|| de::Error::custom(format_args!("there is no field `{text}`")))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Field {
    fn schema_name() -> Cow<'static, str> {
        "SoulField".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let fields = Self::ALL.iter().map(|field| (field.as_str(), field.meaning()));
        crate::schema::explained("What a statement of a soul is about.", fields)
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
