// The engine counts bytes of UTF-8, the browser counts UTF-16 units.

/** A function from byte offsets of `text` to string offsets. Offsets may come in any order. */
export function fromBytes(text: string): (byte: number) => number {
  // Most souls are ASCII, where both are the same.
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  const at: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const pair = unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length;
    const length = pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    for (let k = 0; k < length; k++) at.push(i);
    if (pair) i++;
  }
  at.push(text.length);
  return (byte) => at[Math.min(byte, at.length - 1)] ?? text.length;
}
