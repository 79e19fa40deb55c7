use std::time::Duration;

use super::Error;

/// How often a push is tried.
const TRIES: usize = 8;

/// Repeats what ends in a push until nobody else was first: fetching, merging and pushing again, with a longer pause each
/// time. An attempt returns `None` if its push was rejected.
pub(super) fn until_pushed<T>(mut attempt: impl FnMut() -> Result<Option<T>, Error>) -> Result<T, Error> {
    for number in 0..TRIES {
        if number > 0 {
            std::thread::sleep(Duration::from_millis(20 << number.min(6)));
        }
        if let Some(done) = attempt()? {
            return Ok(done);
        }
    }
    Err(Error::KeepsMoving(TRIES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_with_the_first_push_that_arrives_or_after_the_last_try() {
        let mut tries = 0;
        let done = until_pushed(|| {
            tries += 1;
            Ok((tries == 3).then_some("pushed"))
        });
        assert_eq!((done.unwrap(), tries), ("pushed", 3));
        let mut tries = 0;
        let given_up = until_pushed(|| {
            tries += 1;
            Ok(None::<()>)
        });
        assert!(matches!(given_up, Err(Error::KeepsMoving(TRIES))) && tries == TRIES);
        let failed = until_pushed(|| Err::<Option<()>, _>(Error::Busy));
        assert!(matches!(failed, Err(Error::Busy)));
    }
}
