//! Orders to ignore the instructions, one file a language. English is in the folder above.

pub(in crate::rules) mod arabic;
pub(in crate::rules) mod chinese;
pub(in crate::rules) mod french;
pub(in crate::rules) mod german;
pub(in crate::rules) mod italian;
pub(in crate::rules) mod japanese;
pub(in crate::rules) mod korean;
pub(in crate::rules) mod portuguese;
pub(in crate::rules) mod russian;
pub(in crate::rules) mod spanish;
pub(in crate::rules) mod turkish_hindi;
