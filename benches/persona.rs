//! The effective traits and mood of one of many agents that have all been adapted.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use soul_core::persona::{Moods, Mutation, State, Tempo, Trait, Traits};
use soul_core::search::Day;
use soul_engine::clock::Time;
use soul_engine::store::{EventKind, NewEvent, Party, Sqlite, Store};
use soul_engine::workspace::{Kind, SoulKey};

const AGENTS: usize = 10_000;
const STEPS: i32 = 100;
const TODAY: i32 = 20_000;

fn key(n: usize) -> SoulKey {
    SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: format!("agent-{n}") }
}

/// A hundred steps, none of which has faded, in amounts that take all their digits to write.
fn steps() -> Vec<Mutation> {
    let step = |n: i32| Mutation {
        seq: i64::from(n),
        trait_: Trait::ALL[usize::try_from(n).unwrap() % 6],
        delta: if n % 7 < 4 { 0.1 / f64::from(n + 3) } else { -0.1 / f64::from(n + 3) },
        day: Day(TODAY - 15 + n / 10),
    };
    (0..STEPS).map(step).collect()
}

fn effective(criterion: &mut Criterion) {
    let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let store = Sqlite::open(&home.path().join("keeper.db")).unwrap();
    let party = Party::new("bench", "persona");
    for n in 0..AGENTS {
        let event = NewEvent::for_soul(EventKind::PersonaAdapt, &key(n), &party, &party);
        store.change_persona(&key(n), &event, Time::of_seconds(0), &mut |state| state.mutations = steps()).unwrap();
    }
    let baseline: Traits = Trait::ALL.into_iter().map(|of| (of, 0.5)).collect();
    let moods = Moods { default: Some("neutral".to_owned()), allowed: Vec::new(), fixed: false };
    let now = i64::from(TODAY) * 86_400;
    let effective = |state: &State| state.effective(&baseline, &moods, Tempo::default(), now);
    let mut group = criterion.benchmark_group("one of 10 000 agents with 100 steps each");
    let mut n = 0;
    let mut next = || {
        n = (n + 7_919) % AGENTS;
        key(n)
    };
    group.bench_function("effective traits and mood", |bench| {
        bench.iter(|| effective(&store.persona(&next()).unwrap()));
    });
    let state = store.persona(&key(0)).unwrap();
    assert_eq!(state.mutations, steps());
    group.bench_function("the same, without reading it", |bench| bench.iter(|| effective(&state)));
    group.finish();
}

criterion_group!(benches, effective);
criterion_main!(benches);
