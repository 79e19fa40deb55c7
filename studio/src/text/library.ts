// A library soul as one text: its name, its purpose and its content, so that a draft and a merge have all three.

export type LibraryText = { name: string; description: string; content: string };

// A string of JSON is one of YAML too.
const line = (key: string, value: string) => `${key}: ${JSON.stringify(value)}\n`;

export const composeLibrary = ({ name, description, content }: LibraryText): string => `---\n${line('name', name)}${line('description', description)}---\n${content}`;

const value = (text: string): string => {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'string' ? read : text;
  } catch {
    return text;
  }
};

/** The way back, also from a text that a person changed by hand; what is missing is empty. */
export function splitLibrary(text: string): LibraryText {
  const head = /^---\n([\s\S]*?)^---(?:\n|$)/m.exec(text);
  if (head === null || head.index !== 0) return { name: '', description: '', content: text };
  const of = (key: string) => value((new RegExp(`^${key}:(.*)$`, 'm').exec(head[1]!)?.[1] ?? '').trim());
  return { name: of('name'), description: of('description'), content: text.slice(head[0].length) };
}
