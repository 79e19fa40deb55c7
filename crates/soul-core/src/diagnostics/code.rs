#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Severity;

/// Declares the codes once: name, spelling, severity, and what it means.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $spelling:literal, $severity:ident;)+) => {
        /// The kind of a diagnostic. Its spelling never changes once published.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The spelling in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $spelling,)+ }
            }

            /// The default severity.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }

            /// What the code means, in a sentence or two.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// There is no soul. An agent can work without one.
    Missing = "missing", Info;
    /// The soul is valid but disabled by `[agents.soul] enabled = false`.
    Inactive = "inactive", Info;

    /// The frontmatter is not closed, not at the start of the file, or not a YAML mapping.
    MalformedFrontmatter = "malformed_frontmatter", Error;
    /// A file that must be a JSON object is not one.
    MalformedJson = "malformed_json", Error;
    /// The frontmatter is larger than `[agents.soul] max_body_bytes`.
    OversizedFrontmatter = "oversized_frontmatter", Error;
    /// The body is larger than `[agents.soul] max_body_bytes`.
    OversizedBody = "oversized_body", Error;
    /// A field that another file or the runtime owns; a soul cannot grant it.
    ForbiddenField = "forbidden_field", Error;
    /// A field that the dialect does not have.
    UnsupportedField = "unsupported_field", Error;
    /// A field whose value has the wrong type.
    InvalidFieldType = "invalid_field_type", Error;
    /// A heading that declares what another file or the runtime owns.
    ReservedSection = "reserved_section", Error;

    /// A field that the dialect requires is absent or empty.
    MissingField = "missing_field", Error;
    /// A field that the dialect does not read; it is kept as it is.
    UnknownField = "unknown_field", Info;
    /// An id that breaks the dialect's rule for ids.
    InvalidId = "invalid_id", Error;

    /// A field that is not read and resembles one that is; it is kept as it is.
    MisspeltField = "misspelt_field", Warning;
    /// Frontmatter that does not begin the file, in a dialect that reads it as prose.
    MisplacedFrontmatter = "misplaced_frontmatter", Warning;
    /// Frontmatter that is never closed, in a dialect that then reads all of the file as frontmatter.
    UnclosedFrontmatter = "unclosed_frontmatter", Error;

    /// The soul has no name, and the agent gets a default one.
    DefaultIdentity = "default_identity", Warning;
    /// The name gives an empty id.
    EmptyId = "empty_id", Warning;
    /// The text describes procedures, which belong in AGENTS.md.
    ProcedureInSoul = "procedure_in_soul", Warning;
    /// The default mood is missing, or not one of the allowed moods.
    MoodNotAllowed = "mood_not_allowed", Warning;
    /// A mood of several lines, or longer than a name; prompts use only its beginning, on one line.
    LongMood = "long_mood", Warning;
    /// A trait whose score is not between 0 and 1.
    TraitOutOfRange = "trait_out_of_range", Error;
    /// One trait in two spellings.
    DuplicateTrait = "duplicate_trait", Error;
    /// A trait that is not one of the six; it is kept but has no effect.
    UnknownTrait = "unknown_trait", Warning;
    /// A key such as `hexaco` is empty, and the keys below it that belong under it are not indented.
    LostIndentation = "lost_indentation", Warning;
    /// A field kept under `persona` that no longer agrees with what was edited outside it.
    StalePersona = "stale_persona", Warning;

    /// A field that every persona needs is absent or empty.
    MissingRequiredField = "missing_required_field", Error;
    /// A persona version that is not three numbers with an optional pre-release tag.
    InvalidSemver = "invalid_semver", Error;
    /// A system prompt of more than 2000 characters, which AgentOS advises against.
    SystemPromptTooLong = "system_prompt_too_long", Warning;
    /// A tool that a persona lists twice.
    DuplicateToolId = "duplicate_tool_id", Error;
    /// A persona with a voice whose output modalities do not include `audio_tts`.
    VoiceConfigWithoutAudioOutput = "voice_config_without_audio_output", Warning;
    /// A language that is not a BCP 47 tag.
    InvalidBcp47Language = "invalid_bcp47_language", Error;
    /// A persona that does not say how to weigh the cost of models against their quality.
    MissingCostStrategy = "missing_cost_strategy", Info;
    /// A model that a preference lists twice.
    DuplicateAllowedModelIds = "duplicate_allowed_model_ids", Error;
    /// A model preference that gives a model, a family and a list of models at once.
    OverSpecifiedModelPreference = "over_specified_model_preference", Warning;
    /// Two data sources of a persona with the same id.
    DuplicateRagDatasourceIds = "duplicate_rag_datasource_ids", Error;
    /// Summarization that is enabled without a method.
    RagSummarizationMethodMissing = "rag_summarization_method_missing", Warning;
    /// An activation keyword that a persona lists twice, or that another persona has too.
    ActivationKeywordConflict = "activation_keyword_conflict", Warning;
    /// A value that is not one of those that the field takes.
    UnknownValue = "unknown_value", Warning;

    /// The manifest has a name that only old versions of the specification use.
    LegacyManifest = "legacy_manifest", Warning;
    /// The manifest does not say which version of the specification it follows.
    MissingSpecVersion = "missing_spec_version", Warning;
    /// The manifest names a version of the specification that does not exist.
    UnknownSpecVersion = "unknown_spec_version", Warning;
    /// The manifest lacks fields that a registry requires.
    NotPublishable = "not_publishable", Info;
    /// A field that only a later version of the specification has.
    FieldOfLaterVersion = "field_of_later_version", Warning;
    /// A field that the specification has deprecated.
    DeprecatedField = "deprecated_field", Warning;
    /// A package name that is not kebab-case, or very long.
    InvalidName = "invalid_name", Error;
    /// A package version that is not three numbers.
    InvalidVersion = "invalid_version", Error;
    /// An invalid range of versions.
    InvalidRange = "invalid_range", Error;
    /// A text that is longer than the specification allows.
    TooLong = "too_long", Error;
    /// A list that has more entries than the specification allows.
    TooMany = "too_many", Error;
    /// A licence that registries do not accept.
    LicenseRefused = "license_refused", Error;
    /// A licence that is not on the list of allowed ones.
    LicenseUnknown = "license_unknown", Warning;
    /// An unknown category.
    UnknownCategory = "unknown_category", Warning;
    /// A path of the manifest that points outside the package.
    FileOutsidePackage = "file_outside_package", Error;
    /// A file that the manifest names and the package does not have.
    FileMissing = "file_missing", Error;
    /// A soul that is empty: an error in a package, a warning elsewhere.
    EmptySoul = "empty_soul", Error;
    /// A picture in a format that clients do not show.
    AvatarFormat = "avatar_format", Warning;
    /// A successor that is not in the form owner/name, or is the soul itself.
    InvalidSuccessor = "invalid_successor", Error;
    /// A soul that its author has deprecated.
    DeprecatedSoul = "deprecated_soul", Warning;
    /// An invalid URL.
    InvalidAddress = "invalid_address", Error;
    /// An embodied agent without any physical safety limits.
    NoPhysicalSafety = "no_physical_safety", Warning;
    /// A safety law without a rank or without a text.
    IncompleteLaw = "incomplete_law", Error;
    /// Two safety laws with the same rank.
    LawOrder = "law_order", Error;
    /// A safety law that the manifest declares and SOUL.md does not act on.
    DeclarativeOnly = "declarative_only", Warning;
    /// An embodied agent whose SOUL.md mentions safety, but whose manifest declares no safety law.
    BehavioralOnly = "behavioral_only", Warning;
    /// A tool that a file mentions and `allowedTools` does not list.
    ToolNotAllowed = "tool_not_allowed", Warning;
    /// Something that the manifest includes and the package does not have.
    IncludeMissing = "include_missing", Error;
    /// Something that the package has and the manifest does not include.
    NotIncluded = "not_included", Warning;
    /// RULES.md has an unknown section, or no section at all.
    RulesSection = "rules_section", Warning;
    /// A SKILL.md without the fields that a skill needs.
    InvalidSkill = "invalid_skill", Error;
    /// A tool definition that is not an MCP tool.
    InvalidTool = "invalid_tool", Error;
    /// A hook that is neither bootstrap nor teardown, or that is empty.
    InvalidHook = "invalid_hook", Warning;
    /// A memory layout that points outside the workspace or lacks its placeholder.
    MemoryLayout = "memory_layout", Error;
    /// A memory search that the specification does not have.
    MemorySearch = "memory_search", Warning;
    /// A script or a program in a persona, or outside the skills of a pack.
    ScriptNotAllowed = "script_not_allowed", Error;
    /// SOUL.md or IDENTITY.md gives the agent another name than the manifest.
    NameMismatch = "name_mismatch", Warning;
    /// A value of the registry block that no registry writes.
    RegistryValue = "registry_value", Warning;
    /// The package exceeds the size limit.
    OversizedPackage = "oversized_package", Error;

    /// Frontmatter of a plain soul that is broken, not closed or not at the start of the file; it is read as text.
    FrontmatterNotRead = "frontmatter_not_read", Warning;
    /// A field of a plain soul that would grant or configure something; a soul cannot, and the field has no effect.
    NoEffect = "no_effect", Warning;

    /// The soul's file is called SOUL.md in another case, such as `soul.md`; it is read, but other programs may miss it.
    UnusualFileName = "unusual_file_name", Info;
    /// Files below `examples/`, `skills/`, `tools/` or `hooks/` that are too many or too large to be part of the soul.
    FilesLeftOut = "files_left_out", Warning;

    /// A section that the dialect requires is absent.
    MissingSection = "missing_section", Error;
    /// A duplicate section; the first one counts.
    DuplicateSection = "duplicate_section", Error;
    /// A section that the dialect does not have.
    UnexpectedSection = "unexpected_section", Error;

    /// The file starts with a byte order mark.
    ByteOrderMark = "byte_order_mark", Warning;
    /// A control character that no editor shows and every model reads.
    ControlCharacter = "control_character", Warning;

    /// The bytes are not UTF-8 text.
    InvalidUtf8 = "invalid_utf8", Error;
    /// The file exceeds the size limit for souls.
    OversizedFile = "oversized_file", Error;
    /// The file could not be read.
    ParserIo = "parser_io", Error;
    /// The file is a link that points outside its directory.
    PathEscape = "path_escape", Error;

    /// There is a `persona.json` next to SOUL.md; only SOUL.md is read.
    PersonaIgnored = "persona_ignored", Info;

    /// A line that imitates a marker of the full prompt. It is escaped there, and left as it is
    /// everywhere else.
    ForgedMarker = "forged_marker", Warning;

    /// A good example breaks a limit of the soul.
    LimitContradicted = "limit_contradicted", Error;
    /// A good example contains a word that the soul says to avoid.
    BannedWord = "banned_word", Error;
    /// A good example reads more like the bad ones.
    NearerToBad = "nearer_to_bad", Warning;
    /// Good and bad examples do not differ in any measure.
    ExamplesAlike = "examples_alike", Warning;
    /// There are no examples to test against.
    ExamplesMissing = "examples_missing", Warning;
    /// The soul does not say who the agent is, how it sounds, or what it must not do.
    PartMissing = "part_missing", Warning;
    /// The soul has too many vague words for a model to act on.
    VagueSoul = "vague_soul", Warning;
    /// A vague sentence.
    VagueSentence = "vague_sentence", Info;
    /// The probe file is invalid.
    InvalidProbes = "invalid_probes", Error;
    /// A model's answer is not what the probe expects, or breaks a limit of the soul.
    ProbeFailed = "probe_failed", Error;
    /// One of two models falls out of character where the other does not.
    ModelDrift = "model_drift", Warning;

    /// A limit that a runtime does not give the model as a whole.
    LimitNotDelivered = "limit_not_delivered", Error;
    /// A section that a runtime cuts, drops or blocks.
    SectionNotDelivered = "section_not_delivered", Warning;

    /// There are more problems than the limit allows to show.
    TooManyDiagnostics = "too_many_diagnostics", Info;
}

impl Code {
    /// Whether the text could not be parsed at all, as opposed to having invalid content.
    #[must_use]
    pub const fn is_syntax(self) -> bool {
        matches!(
            self,
            Self::MalformedFrontmatter
                | Self::MalformedJson
                | Self::UnclosedFrontmatter
                | Self::InvalidUtf8
                | Self::OversizedFile
                | Self::ParserIo
                | Self::PathEscape
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = Self::ALL.iter().copied().find(|code| code.as_str() == text);
        found.ok_or_else(|| de::Error::custom(format_args!("there is no code `{text}`")))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "DiagnosticCode".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let codes: Vec<&str> = Self::ALL.iter().map(|code| code.as_str()).collect();
        schemars::json_schema!({
            "type": "string",
            "description": "The kind of a diagnostic. `docs/diagnostics.md` explains each.",
            "enum": codes,
        })
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn spellings_are_unique_and_every_code_is_explained() {
        let spellings: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(spellings.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }
}
