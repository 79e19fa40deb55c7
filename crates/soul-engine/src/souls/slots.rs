//! The slots of the prompt that the configuration fills.

use std::collections::BTreeMap;

use super::Error;
use super::folder::MAX_LAYER;
use crate::Keeper;
use crate::files::{self, Directory};
use crate::settings::{FILE, Slot, SlotSetting, SlotText};
use crate::store::FilledSlot;

/// What `[prompt]` says. A file that it names must be there: a prompt without it would not be the one that the
/// operator configured.
pub(crate) fn filled_slots(keeper: &Keeper) -> Result<BTreeMap<Slot, FilledSlot>, Error> {
    let slots = keeper.settings.prompt.slots.iter();
    slots.map(|(slot, setting)| Ok((*slot, filled(keeper, setting)?))).collect()
}

fn filled(keeper: &Keeper, setting: &SlotSetting) -> Result<FilledSlot, Error> {
    let (folder, path) = match &setting.text {
        SlotText::Text(text) => {
            let source = format!("{FILE} of the {}", setting.origin);
            return Ok(FilledSlot { text: text.clone(), source });
        }
        SlotText::File(folder, path) => (folder, path),
    };
    let source = keeper.roots.shown(&folder.join(path));
    let refused = |why: crate::fault::Cause| Error::Layer(source.clone(), why);
    let bytes = match Directory::open(folder).and_then(|folder| folder.read(path)) {
        Ok(bytes) if bytes.len() > MAX_LAYER => return Err(refused("it is larger than 1 MiB".into())),
        Ok(bytes) => bytes,
        Err(files::Error::NotFound) => {
            return Err(refused(
                format!("the file does not exist, but {FILE} of the {} names it", setting.origin).into(),
            ));
        }
        Err(error) => return Err(refused(error.into())),
    };
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8 text".into()))?;
    Ok(FilledSlot { text, source })
}
