//! Answers that are still true. Each is kept with the state of every file that it was made from; a
//! few `stat` calls tell whether any of them has changed, whoever changed it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Bytes;
use soul_engine::files::witness::Witness;

/// How many answers are kept.
const MAX: usize = 10_000;

/// Answers by question.
#[derive(Default)]
pub(crate) struct Cache(RwLock<HashMap<String, Arc<Kept>>>);

struct Kept {
    answer: Bytes,
    witness: Witness,
}

impl Cache {
    /// An answer that is still true.
    pub(crate) fn get(&self, question: &str) -> Option<Bytes> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned()?;
        kept.witness.holds().then(|| kept.answer.clone())
    }

    /// Keeps an answer, unless a file was written so lately that its state proves nothing.
    pub(crate) fn put(&self, question: String, answer: Bytes, witness: Witness) {
        if !witness.is_settled() {
            return;
        }
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX {
            kept.clear();
        }
        kept.insert(question, Arc::new(Kept { answer, witness }));
    }
}
