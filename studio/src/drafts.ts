// Unsaved text, kept in this browser under the soul it belongs to and the text it began with.

export type Draft = { text: string; base: string; baseDigest: string | null; at: string };

const key = (subject: string) => `soulkeeper.draft.${subject}`;

export const agentSubject = (name: string) => `agent/${name}`;
export const librarySubject = (id: string) => `library/${id}`;

/** Anything may be in the storage: an older version of this page wrote there too. */
export function parseDraft(stored: string | null): Draft | null {
  if (stored === null) return null;
  try {
    const draft = JSON.parse(stored) as Partial<Draft>;
    if (typeof draft.text !== 'string' || typeof draft.base !== 'string' || typeof draft.at !== 'string') return null;
    return { text: draft.text, base: draft.base, at: draft.at, baseDigest: typeof draft.baseDigest === 'string' ? draft.baseDigest : null };
  } catch {
    return null;
  }
}

export function loadDraft(subject: string): Draft | null {
  try {
    return parseDraft(localStorage.getItem(key(subject)));
  } catch {
    return null;
  }
}

/** Whether the draft is kept; false if the storage is full or forbidden, which the page then says. */
export function keepDraft(subject: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key(subject), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(subject: string) {
  try {
    localStorage.removeItem(key(subject));
  } catch {
    // Without storage there is no draft to drop.
  }
}
