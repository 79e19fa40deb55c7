//! Numbers in tables that are made ahead of time and read in place: little-endian, at any address, 0 beyond the end.

macro_rules! number_at {
    ($name:ident, $number:ty) => {
        #[inline(always)]
        pub(super) fn $name(table: &[u8], at: usize) -> $number {
            table.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| <$number>::from_le_bytes(*bytes))
        }
    };
}

number_at!(u16_at, u16);
number_at!(u32_at, u32);
number_at!(u128_at, u128);
