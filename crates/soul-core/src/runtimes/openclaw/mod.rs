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
mod facts;
mod glob;
mod voice;

use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use budget::{BootstrapFile, Limits, Outcome};
pub use facts::RUNTIME;
use routing::{Mode, Run};
use session::{SessionKey, Withheld};

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
    if settings.get("bootstrapFiles").is_some() {
        let listed = settings.list("bootstrapFiles");
        load::as_hooked(session.files, &session.root, &listed, &mut loaded, &mut sources);
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
            pending: settings.flag("workspaceBootstrapPending").unwrap_or_else(|| {
                !setup_completed && files.iter().any(|file| file.name == "BOOTSTRAP.md" && file.content.is_some())
            }),
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
