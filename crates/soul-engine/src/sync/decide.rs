//! What is to be done with an item, from what both sides had last and what each has now.

/// What is to be done with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Both sides have the same text.
    Same,
    /// Neither side has it any more.
    Gone,
    /// The remote's text comes here: it is new, or only the remote has changed it.
    Take,
    /// Only this side has changed it, or has it.
    Keep,
    /// Both sides have changed it.
    Merge,
    /// Both sides have added it, each with its own text.
    BothAdded,
    /// The remote has deleted what is unchanged here.
    DeletedThere,
    /// The remote has deleted what was changed here.
    DeletedThereChangedHere,
    /// It is gone here, and unchanged on the remote.
    DeletedHere,
    /// It is gone here, and was changed on the remote.
    DeletedHereChangedThere,
}

/// Decides by the texts' digests.
pub(super) fn decide<T: PartialEq>(base: Option<T>, ours: Option<T>, theirs: Option<T>) -> Decision {
    match (base, ours, theirs) {
        (_, None, None) => Decision::Gone,
        (_, Some(ours), Some(theirs)) if ours == theirs => Decision::Same,
        (None, None, Some(_)) => Decision::Take,
        (None, Some(_), None) => Decision::Keep,
        (None, Some(_), Some(_)) => Decision::BothAdded,
        (Some(base), Some(ours), Some(theirs)) => match (ours == base, theirs == base) {
            (_, true) => Decision::Keep,
            (true, false) => Decision::Take,
            (false, false) => Decision::Merge,
        },
        (Some(base), Some(ours), None) if ours == base => Decision::DeletedThere,
        (Some(_), Some(_), None) => Decision::DeletedThereChangedHere,
        (Some(base), None, Some(theirs)) if theirs == base => Decision::DeletedHere,
        (Some(_), None, Some(_)) => Decision::DeletedHereChangedThere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case() {
        use Decision::*;
        for (base, ours, theirs, decision) in [
            (None, None, None, Gone),
            (Some(1), None, None, Gone),
            (None, None, Some(1), Take),
            (None, Some(1), None, Keep),
            (None, Some(1), Some(1), Same),
            (None, Some(1), Some(2), BothAdded),
            (Some(1), Some(1), Some(1), Same),
            (Some(1), Some(2), Some(2), Same),
            (Some(1), Some(1), Some(2), Take),
            (Some(1), Some(2), Some(1), Keep),
            (Some(1), Some(2), Some(3), Merge),
            (Some(1), Some(1), None, DeletedThere),
            (Some(1), Some(2), None, DeletedThereChangedHere),
            (Some(1), None, Some(1), DeletedHere),
            (Some(1), None, Some(2), DeletedHereChangedThere),
        ] {
            assert_eq!(decide(base, ours, theirs), decision, "{base:?} {ours:?} {theirs:?}");
        }
    }
}
