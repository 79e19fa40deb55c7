//! OpenClaw: the workspace files that its sessions are given.
//!
//! Recorded from the package's own functions; cases in `conformance/runtimes/openclaw.jsonl`. What hooks of an
//! installation change is not known here, and neither is what its memory runtime withholds.

pub mod budget;
pub mod load;
pub mod notice;
pub mod render;
pub mod routing;
pub mod session;

mod agents;
mod collate;
mod curated;
mod glob;
mod voice;

use super::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Unit, Version};
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use budget::{BootstrapFile, Limits, Outcome};
use routing::{Mode, Run};
use session::{SessionKey, Withheld};

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

/// What a session kind stands for in the runtime's own terms.
struct Defaults {
    key: &'static str,
    chat_type: Option<&'static str>,
    trigger: &'static str,
    run_kind: &'static str,
    mode: &'static str,
}

fn defaults(kind: &str) -> Defaults {
    let main = Defaults { key: "agent:main:main", chat_type: None, trigger: "user", run_kind: "default", mode: "full" };
    match kind {
        "subagent" => Defaults { key: "agent:main:subagent:1", ..main },
        "cron" => Defaults { key: "agent:main:cron:job", trigger: "cron", run_kind: "cron", ..main },
        "group" => Defaults { key: "agent:main:chat:group:1", chat_type: Some("group"), ..main },
        "channel" => Defaults { key: "agent:main:chat:channel:1", chat_type: Some("channel"), ..main },
        "heartbeat" => Defaults { trigger: "heartbeat", run_kind: "heartbeat", ..main },
        "lightweight" => Defaults { mode: "lightweight", ..main },
        _ => main,
    }
}

fn limits(session: &Session<'_>) -> Limits {
    let earlier = session.version == "2026.4";
    let defaults = if earlier { (12_000.0, 150_000.0) } else { (20_000.0, 60_000.0) };
    let configured = |name: &str, default: f64| {
        session.settings.get(name).map(|_| match session.settings.number(name) {
            Some(number) if number > 0.0 => number.floor(),
            _ => default,
        })
    };
    let max = session.settings.number("maxChars");
    let total = session.settings.number("totalMaxChars");
    let total = total.or_else(|| configured("bootstrapTotalMaxChars", defaults.1));
    let own = configured("bootstrapMaxChars", defaults.0);
    // As configured, the total does not grow with the limit of a file.
    let total = total.or_else(|| (max.is_none() && own.is_some()).then_some(defaults.1));
    Limits::new(defaults, max.or(own), total, (!earlier).then_some(4_000.0))
}

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let settings = session.settings;
    let kind = defaults(session.kind);
    let key = SessionKey {
        key: settings.get("sessionKey").unwrap_or(kind.key),
        chat_type: settings.get("chatType").or(if settings.get("sessionKey").is_some() {
            None
        } else {
            kind.chat_type
        }),
        workspace: Some(&session.root),
    };
    let names = if session.version == "2026.4" { load::NAMES_WITH_TOOLS } else { load::NAMES };
    let mut loaded = load::workspace(session.files, &session.root, names, &mut sources);
    if let Some(profile) = settings.get("profileId") {
        load::add_personal(session.files, &session.root, profile, &mut loaded, &mut sources);
    }
    delivery.warnings.append(&mut loaded.warnings);
    for unreadable in &loaded.unreadable {
        let file = sources.number(&unreadable.path);
        delivery.losses.push(Loss::file(file, State::Blocked, "unreadable", unreadable.reason.clone()));
    }
    let mut files = withhold(loaded.files, &key, &mut delivery.losses);
    let setup_completed = settings.flag("setupCompleted").unwrap_or(false);
    drop_where(&mut files, &mut delivery.losses, "setup-completed", "setup is recorded as completed", |file| {
        setup_completed && file.name == "BOOTSTRAP.md"
    });
    let mode = settings.get("contextMode").unwrap_or(kind.mode);
    drop_where(&mut files, &mut delivery.losses, "lightweight", "a lightweight context has no files", |_| {
        mode == "lightweight"
    });
    for (setting, value, rule, reason) in [
        ("contextInjection", "never", "context-injection", "contextInjection is `never`"),
        ("promptMode", "none", "prompt-mode", "raw model runs have no files"),
    ] {
        let off = settings.get(setting) == Some(value);
        drop_where(&mut files, &mut delivery.losses, rule, reason, |_| off);
    }
    let extra = load::extra(session.files, &session.root, &settings.list("extraFiles"), &mut sources);
    let extra: Vec<BootstrapFile> =
        extra.into_iter().filter(|file| !files.iter().any(|other| other.path == file.path)).collect();
    files.extend(withhold(extra, &key, &mut delivery.losses));

    if session.kind == "voice" {
        voice_session(files, &mut delivery, limits(session).user_max_chars);
    } else {
        let run = Run {
            pending: !setup_completed && files.iter().any(|file| file.name == "BOOTSTRAP.md" && file.content.is_some()),
            trigger: settings.get("trigger").unwrap_or(kind.trigger),
            run_kind: kind.run_kind,
            primary: !key.is_subagent() && !key.is_acp(),
            canonical: settings.flag("isCanonicalWorkspace").unwrap_or(true),
            file_access: settings.flag("hasBootstrapFileAccess").unwrap_or(true),
        };
        let empty = mode == "lightweight" || settings.get("promptMode") == Some("none");
        text_session(session, files, &run, empty, &mut delivery);
    }
    delivery.sources = sources.paths();
    delivery
}

fn withhold(files: Vec<BootstrapFile>, key: &SessionKey<'_>, losses: &mut Vec<Loss>) -> Vec<BootstrapFile> {
    let mut kept = Vec::new();
    for file in files {
        let Some(why) = key.withholds(&file) else {
            kept.push(file);
            continue;
        };
        let (rule, reason) = match why {
            Withheld::Subagent => ("subagent-files", "sub-agents are given AGENTS.md only"),
            Withheld::Cron => ("cron-files", "scheduled jobs are given AGENTS, SOUL, IDENTITY and USER only"),
            Withheld::Private => ("private-memory", "MEMORY.md is withheld from this kind of session"),
        };
        losses.extend(file.source.map(|source| Loss::file(source, State::Dropped, rule, reason)));
    }
    kept
}

fn drop_where(
    files: &mut Vec<BootstrapFile>,
    losses: &mut Vec<Loss>,
    rule: &'static str,
    reason: &str,
    dropped: impl Fn(&BootstrapFile) -> bool,
) {
    files.retain(|file| {
        let gone = dropped(file);
        if gone {
            losses.extend(file.source.map(|source| Loss::file(source, State::Dropped, rule, reason)));
        }
        !gone
    });
}

fn text_session(session: &Session<'_>, files: Vec<BootstrapFile>, run: &Run<'_>, empty: bool, delivery: &mut Delivery) {
    let limits = limits(session);
    let mode = routing::route(run, &files);
    let budgeted = budget::apply(&files, &limits);
    note_outcomes(&files, &budgeted.outcomes, &limits, delivery);
    delivery.warnings.extend(budgeted.warnings);
    let mut injected = budgeted.files;
    if mode != Mode::Full {
        // The drop comes after the budget: what is withheld has used up its share.
        injected.retain(|file| {
            let gone = render::is_bootstrap(&file.path);
            if gone {
                let reason = "BOOTSTRAP.md is given to an interactive main session only, while it is pending";
                delivery
                    .losses
                    .extend(file.source.map(|source| Loss::file(source, State::Dropped, "bootstrap-routing", reason)));
            }
            !gone
        });
    }
    let considered: Vec<BootstrapFile> =
        files.into_iter().filter(|file| mode == Mode::Full || file.name != "BOOTSTRAP.md").collect();
    let notice = !notice::lines(&considered, &injected, &limits).is_empty();
    delivery.files =
        injected.iter().map(|file| Injected { path: file.path.clone(), content: file.content.clone() }).collect();
    for file in injected.iter().filter_map(|file| file.source) {
        let reason = "the entry belongs to a project that is not active";
        delivery.losses.push(Loss::file(file, State::Dropped, "project-scope", reason));
    }
    if !(empty && delivery.files.is_empty()) {
        let projects = session.settings.list("activeProjectKeys");
        delivery.text = render::render(injected, &projects, mode, notice.then_some(notice::NOTICE));
    }
}

fn voice_session(files: Vec<BootstrapFile>, delivery: &mut Delivery, user_max_chars: Option<f64>) {
    let (chosen, left) = voice::select(files);
    for source in left.iter().filter_map(|file| file.source) {
        let reason = "voice sessions are given IDENTITY, USER and SOUL only";
        delivery.losses.push(Loss::file(source, State::Dropped, "voice-files", reason));
    }
    let Some((budgeted, text)) = voice::instructions(&chosen, user_max_chars) else { return };
    for (index, _) in &budgeted.outcomes {
        let source = chosen.get(*index).and_then(|file| file.source);
        let reason = "longer than its share of 12,000 UTF-16 units";
        delivery.losses.extend(source.map(|source| Loss::file(source, State::Cut, "voice-files", reason)));
    }
    delivery.warnings.extend(budgeted.warnings);
    delivery.files =
        budgeted.files.into_iter().map(|file| Injected { path: file.path, content: file.content }).collect();
    delivery.text = text;
}

fn note_outcomes(files: &[BootstrapFile], outcomes: &[(usize, Outcome)], limits: &Limits, delivery: &mut Delivery) {
    for (index, outcome) in outcomes {
        let Some(file) = files.get(*index) else { continue };
        let Some(source) = file.source else { continue };
        let length =
            file.content.as_ref().map_or(0, |text| super::units::utf16_len(super::units::js_trim_end(text.as_str())));
        let limit = limits.of(&file.name);
        let loss = match outcome {
            Outcome::Cut if length as f64 > limit => Loss::file(
                source,
                State::Cut,
                "file-limit",
                format!("{length} UTF-16 units, {limit} allowed for {}", file.name),
            ),
            Outcome::Cut => Loss::file(
                source,
                State::Cut,
                "total-limit",
                format!("{length} UTF-16 units, more than what was left of {} for all files", limits.total_max_chars),
            ),
            Outcome::NoRoom => Loss::file(
                source,
                State::Dropped,
                "total-limit",
                format!("nothing was left of {} UTF-16 units for all files", limits.total_max_chars),
            ),
            Outcome::TooLong => {
                Loss::file(source, State::Dropped, "personal-whole", "a personal USER.md must fit whole")
            }
            Outcome::NoPath => continue,
        };
        delivery.losses.push(loss);
    }
}

/// A file for tests and tools that call a single step.
#[must_use]
pub fn file(name: &str, path: Option<&str>, content: Option<&str>) -> BootstrapFile {
    BootstrapFile {
        name: name.to_owned(),
        path: path.map(str::to_owned),
        content: content.map(|text| Traced::lossy(text.as_bytes(), 0)),
        personal: false,
        source: content.map(|_| 0),
    }
}
