// Markdown with YAML frontmatter, as far as a soul needs colours: a full grammar would weigh more than the rest of the
// editor.

import { StreamLanguage, type StringStream } from '@codemirror/language';

type State = { place: 'start' | 'yaml' | 'text' | 'code'; fence: string };

function yaml(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/#.*/)) return 'comment';
  if (stream.match(/-(?=\s)/)) return 'punctuation';
  if (stream.match(/"?[\w$.-]+"?(?=:(\s|$))/)) return 'propertyName';
  if (stream.match(':')) return 'propertyName';
  // The rest of the line is the value.
  stream.match(/.*?(?=\s#)/) || stream.skipToEnd();
  return null;
}

function markdown(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    const fence = stream.match(/^\s{0,3}(`{3,}|~{3,})/) as RegExpMatchArray | null;
    if (fence) {
      state.place = 'code';
      state.fence = fence[1]!;
      stream.skipToEnd();
      return 'monospace';
    }
    if (stream.match(/^\s{0,3}#{1,6}(\s.*|$)/)) return 'heading';
    if (stream.match(/^\s*([-*+]|\d+[.)])\s/)) return 'punctuation';
    if (stream.match(/^\s{0,3}>/)) return 'punctuation';
  }
  if (stream.match(/`[^`]*`/)) return 'monospace';
  if (stream.match(/\*\*[^*]+\*\*/)) return 'strong';
  if (stream.match(/<!--.*?-->/)) return 'comment';
  stream.next();
  stream.match(/[^`*<]+/);
  return null;
}

export const soulLanguage = StreamLanguage.define<State>({
  name: 'soul',
  startState: () => ({ place: 'start', fence: '' }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.place === 'start') {
      state.place = stream.match(/^---\s*$/) ? 'yaml' : 'text';
      if (state.place === 'yaml') return 'punctuation';
    }
    if (state.place === 'yaml') {
      if (stream.sol() && stream.match(/^---\s*$/)) {
        state.place = 'text';
        return 'punctuation';
      }
      return yaml(stream);
    }
    if (state.place === 'code') {
      if (stream.sol() && stream.string.trimStart().startsWith(state.fence)) state.place = 'text';
      stream.skipToEnd();
      return 'monospace';
    }
    return markdown(stream, state);
  },
});
