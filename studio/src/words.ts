// Everything the studio says that depends on a number, a time, a field or an event.

import type { Part } from './sigil.ts';

const THIN = '\u2009';
const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** 12345 as "12 345", with a thin space that does not break. */
export function number(value: number): string {
  const [whole, rest] = String(value).split('.') as [string, string?];
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, `\u202f`) : whole;
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** "no agents", "one agent", "12 agents": numbers up to ten in words. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${SMALL[value] ?? number(value)} ${value === 1 ? one : many}`;
}

/** "0 errors", "1 error", for badges. */
export function amount(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "values", "values and limits", "voice, values and limits". */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

export function bytes(value: number): string {
  if (value < 10_000) return `${number(value)} bytes`;
  if (value < 1_000_000) return `${number(Math.round(value / 1024))}${THIN}KB`;
  return `${(value / 1_048_576).toFixed(1)}${THIN}MB`;
}

/** Eight characters of a digest. */
export const short = (digest: string) => digest.slice(digest.lastIndexOf(':') + 1).slice(0, 8);

/** "rev_…4Q2K8": ids are cut in the middle; their ends differ. */
export function shortId(id: string): string {
  const at = id.indexOf('_');
  return at < 0 || id.length < 14 ? id : `${id.slice(0, at + 1)}…${id.slice(-5)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (x: number) => String(x).padStart(2, '0');

export const clock = (time: Date) => `${two(time.getHours())}:${two(time.getMinutes())}`;
export const exact = (time: Date) =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock(time)}:${two(time.getSeconds())}`;

const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** "12 min ago" up to a day, "yesterday", then the date; in the viewer's zone. */
export function ago(time: Date, now: Date): string {
  const passed = now.getTime() - time.getTime();
  if (passed < 10_000) return 'just now';
  if (passed < MINUTE) return `${Math.floor(passed / 1000)} s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  const days = Math.round((midnight(now) - midnight(time)) / DAY);
  if (passed < DAY && (days === 0 || passed < 12 * HOUR)) return `${Math.floor(passed / HOUR)} h ago`;
  if (days === 1) return 'yesterday';
  if (days < 14) return `${days} days ago`;
  const year = time.getFullYear() === now.getFullYear() ? '' : ` ${time.getFullYear()}`;
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year}`;
}

/** The heading of a day in the log. */
export function day(time: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(time)) / DAY);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const year = time.getFullYear() === now.getFullYear() ? '' : ` ${time.getFullYear()}`;
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year}`;
}

/** "41 s", "3 min", "11 h". */
export function span(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.max(0, Math.ceil(milliseconds / 1000))} s`;
  if (milliseconds < 2 * HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  if (milliseconds < 2 * DAY) return `${Math.round(milliseconds / HOUR)} h`;
  return `${Math.round(milliseconds / DAY)} days`;
}

/** A field of a soul as people say it. */
export const field = (name: string) => name.replaceAll('_', ' ');

/** "Values and limits changed", and which did not. */
export function partsSentence(changed: readonly Part[], same: readonly Part[]): string {
  if (changed.length === 0) return 'All six parts are the same.';
  const first = `${capital(list(changed))} changed.`;
  if (same.length === 0) return first;
  return `${first} ${capital(list(same))} ${same.length === 1 ? 'is' : 'are'} the same, to the letter.`;
}

export type Party = { kind: string; ref: string };

/** Whether the file was edited without us, so that nobody is known who did it. */
export const isOutside = (actor: Party, origin?: Party) => actor.kind === 'unknown' || actor.kind === 'outside' || origin?.kind === 'adopt';

/** Who did it: "linter (token)"; a file that was edited in the folder was edited outside Soulkeeper. */
export function who(actor: Party, origin?: Party): string {
  if (isOutside(actor, origin)) return 'outside';
  // A token with a name is known by it; its id is for the record.
  const named = /^(.+) \(tok_[0-9A-Z]+\)$/.exec(actor.ref)?.[1];
  if (actor.kind === 'token' && named !== undefined) return `${named} (token)`;
  return actor.kind === 'user' && actor.ref !== 'http' ? actor.ref : `${actor.ref} (${actor.kind})`;
}

/** What a revision did. */
export function action(name: string): string {
  switch (name) {
    case 'put':
      return 'Written';
    case 'delete':
      return 'Deleted';
    case 'rollback':
      return 'Rolled back';
    case 'adopt':
      return 'Edited outside Soulkeeper';
    default:
      return capital(name.replaceAll('_', ' '));
  }
}

/** Text in a message between backticks is code. */
export function pieces(message: string): { text: string; code: boolean }[] {
  return message
    .split('`')
    .map((text, i) => ({ text, code: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** How a trait is called. */
export const TRAITS = [
  ['honestyHumility', 'Honesty–humility', 'Honesty'],
  ['emotionality', 'Emotionality', 'Emotion'],
  ['extraversion', 'Extraversion', 'Extraversion'],
  ['agreeableness', 'Agreeableness', 'Agreeable'],
  ['conscientiousness', 'Conscientiousness', 'Conscientious'],
  ['openness', 'Openness', 'Openness'],
] as const;
export type Trait = (typeof TRAITS)[number][0];
export const traitName = (trait: string) => TRAITS.find(([key]) => key === trait)?.[1] ?? trait;
