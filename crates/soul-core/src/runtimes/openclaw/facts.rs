//! What is known about OpenClaw.

use super::emulate;
use crate::runtimes::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Unit, Version};

const BOOTSTRAP: &str = "openclaw 2026.9.6 src/agents/embedded-agent-helpers/bootstrap.ts";
const WORKSPACE: &str = "openclaw 2026.9.6 src/agents/workspace.ts";
const PROMPT: &str = "openclaw 2026.9.6 src/agents/system-prompt.ts";
const ROUTING: &str = "openclaw 2026.9.6 src/agents/bootstrap-mode.ts, bootstrap-routing.ts";
const VOICE: &str = "openclaw 2026.9.6 src/agents/realtime-bootstrap-context.ts";
const EARLIER: &str = "threads about 2026.4 (openclaw#68233, #78211); the limits alone are recorded for it";

/// The facts about OpenClaw.
pub const RUNTIME: Runtime = Runtime {
    id: "openclaw",
    name: "OpenClaw",
    basis: Basis::Recorded,
    unit: Unit::Utf16,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "MEMORY.md",
    versions: &[
        Version { version: "2026.9", source: "npm openclaw 2026.9.6, its own functions run on 551 cases" },
        Version { version: "2026.4", source: EARLIER },
    ],
    kinds: &[
        Kind { id: "main", meaning: "a direct chat with the agent", source: WORKSPACE },
        Kind { id: "subagent", meaning: "a sub-agent: AGENTS.md only", source: WORKSPACE },
        Kind { id: "cron", meaning: "a scheduled job: AGENTS, SOUL, IDENTITY, USER", source: WORKSPACE },
        Kind { id: "group", meaning: "a group chat: MEMORY.md is withheld", source: WORKSPACE },
        Kind { id: "channel", meaning: "a channel: MEMORY.md is withheld", source: WORKSPACE },
        Kind { id: "heartbeat", meaning: "a periodic turn without a user", source: ROUTING },
        Kind { id: "lightweight", meaning: "a run with a lightweight context: no files", source: BOOTSTRAP },
        Kind { id: "voice", meaning: "a realtime voice session", source: VOICE },
    ],
    reads: &[
        Reads { path: "AGENTS.md", meaning: "operating rules", source: WORKSPACE },
        Reads { path: "SOUL.md", meaning: "persona and tone", source: WORKSPACE },
        Reads { path: "IDENTITY.md", meaning: "the card", source: WORKSPACE },
        Reads { path: "USER.md", meaning: "the person, if present", source: WORKSPACE },
        Reads { path: "users/ID/USER.md", meaning: "the session owner's own, if it fits whole", source: WORKSPACE },
        Reads { path: "BOOTSTRAP.md", meaning: "first steps, while the workspace is not set up", source: ROUTING },
        Reads { path: "MEMORY.md", meaning: "long-term memory, if present", source: WORKSPACE },
    ],
    limits: &[
        Limit {
            setting: "maxChars",
            value: 20_000,
            unit: Unit::Utf16,
            per: "file",
            versions: "2026.9",
            source: BOOTSTRAP,
        },
        Limit {
            setting: "totalMaxChars",
            value: 60_000,
            unit: Unit::Utf16,
            per: "all files",
            versions: "2026.9",
            source: BOOTSTRAP,
        },
        Limit { setting: "", value: 4_000, unit: Unit::Utf16, per: "USER.md", versions: "2026.9", source: BOOTSTRAP },
        Limit {
            setting: "",
            value: 2_097_152,
            unit: Unit::Bytes,
            per: "file read",
            versions: "2026.9",
            source: WORKSPACE,
        },
        Limit {
            setting: "",
            value: 12_000,
            unit: Unit::Utf16,
            per: "voice session",
            versions: "2026.9",
            source: VOICE,
        },
        Limit {
            setting: "maxChars",
            value: 12_000,
            unit: Unit::Utf16,
            per: "file",
            versions: "2026.4",
            source: EARLIER,
        },
        Limit {
            setting: "totalMaxChars",
            value: 150_000,
            unit: Unit::Utf16,
            per: "all files",
            versions: "2026.4",
            source: EARLIER,
        },
    ],
    rules: &[
        Rule {
            id: "file-limit",
            meaning: "a file over its limit keeps 75 % of its beginning and 25 % of its end; AGENTS.md keeps 45 %, a digest of policy lines, and 15 %",
            source: BOOTSTRAP,
        },
        Rule {
            id: "total-limit",
            meaning: "files take from one total in order; with less than 64 left, no file is begun",
            source: BOOTSTRAP,
        },
        Rule { id: "personal-whole", meaning: "a personal USER.md is injected whole or not at all", source: BOOTSTRAP },
        Rule { id: "subagent-files", meaning: "sub-agents are given AGENTS.md only", source: WORKSPACE },
        Rule {
            id: "cron-files",
            meaning: "scheduled jobs are given AGENTS, SOUL, IDENTITY and USER",
            source: WORKSPACE,
        },
        Rule {
            id: "private-memory",
            meaning: "MEMORY.md is withheld from sub-agents, jobs, groups and channels",
            source: WORKSPACE,
        },
        Rule {
            id: "bootstrap-routing",
            meaning: "BOOTSTRAP.md is injected only while it is pending, for an interactive main session",
            source: ROUTING,
        },
        Rule {
            id: "setup-completed",
            meaning: "BOOTSTRAP.md is ignored once setup is recorded as completed",
            source: BOOTSTRAP,
        },
        Rule { id: "lightweight", meaning: "a lightweight context has no files", source: BOOTSTRAP },
        Rule { id: "context-injection", meaning: "contextInjection `never` injects nothing", source: BOOTSTRAP },
        Rule {
            id: "voice-files",
            meaning: "voice sessions are given IDENTITY, USER and SOUL, in equal shares of 12,000",
            source: VOICE,
        },
        Rule {
            id: "unreadable",
            meaning: "links, hard links, folders and files over 2 MiB are not read; the prompt says so",
            source: WORKSPACE,
        },
        Rule {
            id: "project-scope",
            meaning: "entries of MEMORY.md and USER.md for projects that are not active are dropped",
            source: PROMPT,
        },
        Rule { id: "prompt-mode", meaning: "raw model runs have no files", source: PROMPT },
    ],
    settings: &[
        Setting { name: "maxChars", meaning: "limit for each file", default: "20000", source: BOOTSTRAP },
        Setting {
            name: "totalMaxChars",
            meaning: "limit for all files",
            default: "60000, or maxChars if larger",
            source: BOOTSTRAP,
        },
        Setting {
            name: "bootstrapMaxChars",
            meaning: "maxChars as configured: a positive number, rounded down",
            default: "20000",
            source: BOOTSTRAP,
        },
        Setting {
            name: "bootstrapTotalMaxChars",
            meaning: "totalMaxChars as configured: a positive number, rounded down",
            default: "60000",
            source: BOOTSTRAP,
        },
        Setting {
            name: "sessionKey",
            meaning: "the key of the session",
            default: "by session kind",
            source: WORKSPACE,
        },
        Setting {
            name: "chatType",
            meaning: "direct, group, channel or unknown; overrides the key",
            default: "by session kind",
            source: WORKSPACE,
        },
        Setting {
            name: "setupCompleted",
            meaning: "whether setup is recorded as completed",
            default: "false",
            source: BOOTSTRAP,
        },
        Setting {
            name: "workspaceBootstrapPending",
            meaning: "whether the workspace is recorded as not set up",
            default: "whether BOOTSTRAP.md is there and setup is not completed",
            source: ROUTING,
        },
        Setting {
            name: "profileId",
            meaning: "the stored profile of the session's owner",
            default: "none",
            source: WORKSPACE,
        },
        Setting {
            name: "activeProjectKeys",
            meaning: "keys of active projects, with `;` between them",
            default: "none",
            source: PROMPT,
        },
        Setting {
            name: "bootstrapFiles",
            meaning: "the files that a hook on agent:bootstrap leaves, in its order, with `;` between them",
            default: "those of the workspace",
            source: BOOTSTRAP,
        },
        Setting {
            name: "extraFiles",
            meaning: "paths and patterns of bootstrap-extra-files, with `;` between them",
            default: "none",
            source: WORKSPACE,
        },
        Setting { name: "contextMode", meaning: "full or lightweight", default: "by session kind", source: BOOTSTRAP },
        Setting { name: "contextInjection", meaning: "always or never", default: "always", source: BOOTSTRAP },
        Setting { name: "promptMode", meaning: "full, minimal or none", default: "full", source: PROMPT },
        Setting {
            name: "trigger",
            meaning: "user, manual, cron or heartbeat",
            default: "by session kind",
            source: ROUTING,
        },
        Setting {
            name: "hasBootstrapFileAccess",
            meaning: "whether the session can read files",
            default: "true",
            source: ROUTING,
        },
        Setting {
            name: "isCanonicalWorkspace",
            meaning: "whether it works in the agent's workspace",
            default: "true",
            source: ROUTING,
        },
    ],
    emulate,
};
