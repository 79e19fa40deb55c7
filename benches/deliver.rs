//! One soul of 30 KiB in every runtime and every kind of session.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use soul_engine::Keeper;
use soul_engine::caller::Caller;
use soul_engine::context::Context;
use soul_engine::ops::Operation;
use soul_engine::ops::deliver::Request;
use soul_engine::settings::Settings;
use soul_engine::souls::Target;
use soul_engine::store::Party;
use soul_engine::workspace::Roots;

fn soul() -> String {
    let mut text = "# Ada\n\nYou are Ada, and you help people who keep gardens.\n".to_owned();
    for n in 0.. {
        if text.len() >= 30 * 1024 {
            break;
        }
        text.push_str(&format!(
            "\n## Habit {n}\n\nYou translate what you see into plain words, and you do not hurry anybody.\n\n- Never water at noon.\n- Ask before you cut a branch.\n"
        ));
    }
    text
}

fn deliver(criterion: &mut Criterion) {
    let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let path = folder.path().join("SOUL.md");
    std::fs::write(&path, soul()).unwrap();
    let keeper = Keeper::new(Roots::default(), Settings::default());
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    let context = Context::new(&keeper, &caller);
    for (name, target) in [("file", path), ("folder", folder.path().to_path_buf())] {
        let request = Request {
            target: Target::Path(target),
            runtime: None,
            session_kind: None,
            all: true,
            at: None,
            window: None,
            set: Default::default(),
            fail_on: None,
            dialect: None,
        };
        criterion.bench_function(&format!("deliver --all, 30 KiB {name}"), |bencher| {
            bencher.iter(|| request.clone().run(&context).unwrap());
        });
    }
}

criterion_group!(benches, deliver);
criterion_main!(benches);
