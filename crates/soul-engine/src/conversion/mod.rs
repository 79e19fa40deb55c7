//! What a conversion does with everything that is not an item: the form it writes, the other files of a folder, and the
//! names of what it writes.

mod companions;
mod form;
mod names;

pub use companions::Companion;
pub(crate) use companions::{Beside, Carrying, MAIN_FILES};
pub use form::Form;
pub(crate) use names::{candidates, with_name};
