//! The fields of a persona: their names, their types, and what people write instead.

/// What a value must be.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Any,
    Text,
    Number,
    Flag,
    List,
    Texts,
    Mapping,
    /// A mapping from any key to text.
    TextMap,
    /// A text, a template or a list of parts.
    Prompt,
    OneOf(&'static [&'static str]),
    SomeOf(&'static [&'static str]),
    Fields(&'static [Field]),
    /// A list of mappings.
    Each(&'static [Field]),
    /// Like `Text`, `Mapping` and `Fields`, but SOUL.md has plain keys for it: the type is checked where they are read.
    PlainText,
    PlainMapping,
    PlainFields(&'static [Field]),
}

use Shape::{
    Any, Each, Fields, Flag, List, Mapping, Number, OneOf, PlainFields, PlainMapping, PlainText, Prompt, SomeOf, Text,
    TextMap, Texts,
};

pub(super) type Field = (&'static str, Shape);

/// Every field of a persona.
pub(super) const PERSONA: &[Field] = &[
    ("id", PlainText),
    ("name", PlainText),
    ("label", Text),
    ("description", PlainText),
    ("version", PlainText),
    ("baseSystemPrompt", Prompt),
    ("defaultModelId", Text),
    ("defaultProviderId", Text),
    ("defaultModelCompletionOptions", Mapping),
    ("modelTargetPreferences", Each(MODEL_PREFERENCE)),
    (
        "costSavingStrategy",
        OneOf(&["always_cheapest", "balance_quality_cost", "prioritize_quality", "user_preference"]),
    ),
    ("promptEngineConfigOverrides", Mapping),
    ("toolIds", Texts),
    ("allowedCapabilities", Texts),
    ("embeddedTools", List),
    ("allowedInputModalities", SomeOf(&["text", "audio_transcription", "vision_image_url", "vision_image_base64"])),
    ("allowedOutputModalities", SomeOf(&["text", "audio_tts", "image_generation_tool_result"])),
    ("voiceConfig", PlainFields(VOICE)),
    ("avatarConfig", PlainFields(AVATAR)),
    ("personalityTraits", PlainMapping),
    ("moodAdaptation", Fields(MOOD)),
    ("defaultLanguage", Text),
    ("uiInteractionStyle", OneOf(&["suggestive", "directive", "collaborative", "silent"])),
    ("memoryConfig", Fields(MEMORY)),
    ("cognitiveMemoryConfig", Mapping),
    ("conversationContextConfig", Mapping),
    ("metaPrompts", Each(META_PROMPT)),
    ("sentimentTracking", Fields(SENTIMENT)),
    ("contextualPromptElements", Each(PROMPT_ELEMENT)),
    ("isCreatorPersona", Flag),
    ("isPublic", Flag),
    ("activationKeywords", Texts),
    ("strengths", Texts),
    ("minSubscriptionTier", Any),
    ("initialMemoryImprints", Each(&[("key", Text), ("value", Any), ("description", Text)])),
    ("customFields", Mapping),
    ("requiredSecrets", List),
    ("hardLimits", Any),
    ("metadata", Any),
];

const MODEL_PREFERENCE: &[Field] = &[
    ("taskHint", Text),
    ("providerId", Text),
    ("modelId", Text),
    ("modelFamily", Text),
    ("minQualityTier", OneOf(&["fastest", "balanced", "best"])),
    ("maxCostPerKiloTokenInput", Number),
    ("maxCostPerKiloTokenOutput", Number),
    ("allowedModelIds", Texts),
    ("requiredCapabilities", Texts),
];

const VOICE: &[Field] = &[
    ("provider", PlainText),
    ("voiceId", PlainText),
    ("languageCode", PlainText),
    ("customParams", Mapping),
    ("moodToVoiceStyleMap", Mapping),
];

const AVATAR: &[Field] = &[
    ("type", PlainText),
    ("sourceUrl", PlainText),
    ("descriptionForGeneration", PlainText),
    ("moodToAvatarStateMap", Mapping),
];

pub(super) const MOOD: &[Field] = &[
    ("enabled", Flag),
    ("sensitivityFactor", Number),
    ("defaultMood", PlainText),
    ("allowedMoods", PlainText),
    ("moodPrompts", TextMap),
];

const MEMORY: &[Field] = &[
    ("enabled", Flag),
    (
        "conversationContext",
        Fields(&[
            ("maxMessages", Number),
            ("maxTokens", Number),
            ("overflowStrategy", OneOf(&["truncate", "summarize", "hybrid"])),
            ("summarizationTriggerTokens", Number),
            ("includeToolResults", Flag),
            ("includeSystemMessages", Flag),
        ]),
    ),
    (
        "ragConfig",
        Fields(&[
            ("enabled", Flag),
            ("dataSources", Each(&[("id", Text), ("dataSourceNameOrId", Text), ("isEnabled", Flag)])),
            ("ingestionProcessing", Fields(&[("summarization", Fields(&[("enabled", Flag), ("method", Text)]))])),
        ]),
    ),
    ("workingMemoryProcessing", Mapping),
    ("lifecycleConfig", Fields(&[("negotiationEnabled", Flag)])),
];

const META_PROMPT: &[Field] = &[
    ("id", Text),
    ("description", Text),
    ("promptTemplate", Any),
    ("modelId", Text),
    ("providerId", Text),
    ("maxOutputTokens", Number),
    ("temperature", Number),
    ("outputSchema", Mapping),
    ("trigger", Mapping),
];

const SENTIMENT: &[Field] = &[
    ("enabled", Flag),
    ("method", OneOf(&["lexicon_based", "llm", "trained_classifier"])),
    ("modelId", Text),
    ("providerId", Text),
    ("historyWindow", Number),
    ("frustrationThreshold", Number),
    ("satisfactionThreshold", Number),
    ("consecutiveTurnsForTrigger", Number),
    ("presets", Texts),
];

const PROMPT_ELEMENT: &[Field] = &[
    ("id", Text),
    ("type", Text),
    ("content", Any),
    ("criteria", Mapping),
    ("priority", Number),
    ("metadata", Mapping),
];

/// What people call a field, lower case.
pub(super) const OTHER_NAMES: [(&str, &str); 17] = [
    ("agentid", "id"),
    ("avatar", "avatarConfig"),
    ("hexaco", "personalityTraits"),
    ("instructions", "baseSystemPrompt"),
    ("keywords", "activationKeywords"),
    ("language", "defaultLanguage"),
    ("limits", "hardLimits"),
    ("mood", "moodAdaptation"),
    ("moods", "moodAdaptation"),
    ("personality", "personalityTraits"),
    ("personatraits", "personalityTraits"),
    ("prompt", "baseSystemPrompt"),
    ("role", "description"),
    ("systemprompt", "baseSystemPrompt"),
    ("tools", "toolIds"),
    ("traits", "personalityTraits"),
    ("voice", "voiceConfig"),
];
