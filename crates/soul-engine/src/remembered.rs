//! What was computed once and is true for good: of bytes by their digest, of rows that never change by their id.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// How much is remembered of one kind before all of it is forgotten.
const MOST: usize = 20_000;

/// Values by what they were computed from.
pub(crate) struct Remembered<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq, V: Clone> Remembered<K, V> {
    /// The value; computed if it is not remembered. Nobody waits while another value is computed.
    pub(crate) fn get<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known().get(&key).cloned() {
            return Ok(value);
        }
        let value = compute()?;
        let mut known = known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, value.clone());
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_and_a_failure_is_not_remembered() {
        let remembered = Remembered::<u8, u8>::default();
        assert_eq!(remembered.get(1, || Err("no")), Err("no"));
        assert_eq!(remembered.get(1, || Ok::<_, &str>(2)), Ok(2));
        assert_eq!(remembered.get(1, || Err("never asked")), Ok(2));
    }
}
