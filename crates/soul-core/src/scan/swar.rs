//! Eight bytes at a time: how many of them are letters, without a branch for each one. Words are short and of any length,
//! so a loop over their bytes ends where no processor expects it.

const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The high bit of each byte: those of characters beyond ASCII have it.
pub(super) const HIGH: u64 = ONES << 7;

/// What makes letters small, in each byte; other bytes change too.
pub(super) const SMALL: u64 = ONES << 5;

/// The high bit of each byte that is one of `from..=to`, which are ASCII.
const fn within(bytes: u64, from: u8, to: u8) -> u64 {
    let low = bytes & !HIGH;
    let reached = low + ONES * (0x80 - from as u64);
    let beyond = low + ONES * (0x7f - to as u64);
    reached & !beyond & !bytes & HIGH
}

/// How many of the first bytes have their high bit set.
const fn run(marked: u64) -> usize {
    (!marked & HIGH).trailing_zeros() as usize / 8
}

/// How many of the first bytes are letters of ASCII.
#[inline(always)]
pub(super) const fn letters(bytes: u64) -> usize {
    run(within(bytes | SMALL, b'a', b'z'))
}

/// How many of the first bytes are letters or digits of ASCII.
#[inline(always)]
pub(super) const fn alphanumerics(bytes: u64) -> usize {
    run(within(bytes | SMALL, b'a', b'z') | within(bytes, b'0', b'9'))
}

/// The first bytes of eight, the others zero.
#[inline(always)]
pub(super) const fn first(bytes: u64, count: usize) -> u64 {
    if count >= 8 { bytes } else { bytes & ((1 << (count * 8)) - 1) }
}

/// The eight bytes at a place, zeros after the end of the text.
#[inline(always)]
pub(super) fn eight(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_counted_as_it_is() {
        for byte in 0..=255_u8 {
            for at in 0..8 {
                let mut text = *b"aZzAmQ0b";
                text[6] = b'k';
                text[at] = byte;
                let count = |is: fn(&u8) -> bool| text.iter().position(|byte| !is(byte)).unwrap_or(8);
                assert_eq!(letters(eight(&text, 0)), count(u8::is_ascii_alphabetic), "{byte:#x} at {at}");
                assert_eq!(alphanumerics(eight(&text, 0)), count(u8::is_ascii_alphanumeric), "{byte:#x} at {at}");
            }
        }
    }

    #[test]
    fn the_end_of_a_text_is_filled_with_zeros() {
        assert_eq!(eight(b"abc", 1), u64::from_le_bytes(*b"bc\0\0\0\0\0\0"));
        assert_eq!(eight(b"abc", 9), 0);
        assert_eq!(first(eight(b"abcdefgh", 0), 2), eight(b"ab", 0));
        assert_eq!(first(eight(b"abcdefgh", 0), 8), eight(b"abcdefgh", 0));
    }
}
