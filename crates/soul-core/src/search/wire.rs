//! How numbers and texts lie in a file: varints, length before text, a checksum over both.

/// The bytes are corrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the index is damaged")
    }
}

impl std::error::Error for Damaged {}

/// Appends a number as a varint (seven bits per byte).
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a text after its length.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// The bytes left to read.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// Reads a varint.
    ///
    /// # Errors
    /// If the bytes end, or the number has more than 64 bits.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        if let [byte @ 0..0x80, rest @ ..] = self.0 {
            self.0 = rest;
            return Ok(u64::from(*byte));
        }
        let mut number = 0;
        for (index, byte) in self.0.iter().enumerate().take(10) {
            number |= u64::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                self.0 = &self.0[index + 1..];
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// Reads a varint of at most 32 bits.
    ///
    /// # Errors
    /// If it has more.
    pub fn small(&mut self) -> Result<u32, Damaged> {
        u32::try_from(self.number()?).map_err(|_| Damaged)
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(front)
    }

    /// Reads a length and a text.
    ///
    /// # Errors
    /// If the bytes end, or are not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        let length = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Damaged)
    }

    /// Reads a number of eight bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn fixed(&mut self) -> Result<u64, Damaged> {
        self.bytes(8)?.try_into().map(u64::from_le_bytes).map_err(|_| Damaged)
    }
}

/// A checksum against accidental corruption: it detects any single changed word.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64 ^ ODD;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for word in words.iter().chain([&last]) {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(ODD).rotate_left(29);
    }
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_taken() {
        let mut out = Vec::new();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        numbers.iter().for_each(|number| put(&mut out, *number));
        put_text(&mut out, "端末");
        let mut cursor = Cursor(&out);
        for number in numbers {
            assert_eq!(cursor.number(), Ok(number));
        }
        assert_eq!(cursor.text(), Ok("端末"));
        assert_eq!(cursor.number(), Err(Damaged));
        assert_eq!(Cursor(&[0xff; 20]).number(), Err(Damaged));
        assert_eq!(Cursor(&[3, 0xff, 0xff, 0xff]).text(), Err(Damaged));
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let bytes: Vec<u8> = (0..100).collect();
        let right = checksum(&bytes);
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x10;
            assert_ne!(checksum(&wrong), right);
        }
        assert_ne!(checksum(&bytes[..99]), right);
        assert_ne!(checksum(b""), checksum(b"\0"));
    }
}
