// SHA-256 of a short text. The browser's own is asynchronous and missing on plain http, and a colour is needed
// while a page is drawn.

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** The 32 bytes of the digest of `text` in UTF-8. */
export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [...START];
  const w = new Uint32Array(64);
  const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getUint32(block + i * 4);
      else {
        const a = w[i - 15]!;
        const b = w[i - 2]!;
        w[i] = w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = (state[i]! + x) | 0));
  }
  const out = new Uint8Array(32);
  const result = new DataView(out.buffer);
  state.forEach((x, i) => result.setUint32(i * 4, x));
  return out;
}
