// Text of others: always text, isolated from the text around it, its hidden characters shown.

import { ago, exact, pieces, short } from '../words.ts';
import { reveal } from '../text/hidden.ts';
import { blocks, type Inline } from '../text/markdown.ts';
import { useNow } from './useNow.ts';
import { copy } from '../shell/toasts.ts';

/** A name or a line that another person or program wrote. */
export function Other({ text }: { text: string }) {
  return (
    <bdi>
      <Revealed text={text} />
    </bdi>
  );
}

export function Revealed({ text }: { text: string }) {
  return (
    <>
      {reveal(text).map((piece, i) =>
        piece.hidden ? (
          <span key={i} class="hidden-char">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** A message of the engine, its backticks shown as code. */
export function Message({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, i) =>
        piece.code ? (
          <code key={i}>
            <Other text={piece.text} />
          </code>
        ) : (
          <Revealed key={i} text={piece.text} />
        ),
      )}
    </>
  );
}

export function Time({ at, prefix = '' }: { at: string; prefix?: string }) {
  const now = useNow();
  const time = new Date(at);
  return (
    <time dateTime={at} title={exact(time)}>
      {prefix}
      {ago(time, now)}
    </time>
  );
}

/** Eight characters; a click copies all of them. */
export function Digest({ digest }: { digest: string }) {
  return (
    <button type="button" class="digest plain" title={`${digest}, click to copy`} onClick={() => copy(digest, 'The digest')}>
      {short(digest)}
    </button>
  );
}

function Styled({ text }: { text: Inline[] }) {
  return (
    <>
      {text.map((piece, i) => {
        const inner = <Revealed text={piece.text} />;
        if (piece.style === 'strong') return <strong key={i}>{inner}</strong>;
        if (piece.style === 'em') return <em key={i}>{inner}</em>;
        if (piece.style === 'code') return <code key={i}>{inner}</code>;
        return <span key={i}>{inner}</span>;
      })}
    </>
  );
}

/** A soul as it reads. Links, pictures and HTML stay text. */
export function Reading({ text }: { text: string }) {
  return (
    <div class="prose" dir="auto">
      {blocks(text).map((block, i) => {
        switch (block.kind) {
          case 'heading':
            return (
              <h3 key={i}>
                <Styled text={block.text} />
              </h3>
            );
          case 'paragraph':
            return (
              <p key={i}>
                <Styled text={block.text} />
              </p>
            );
          case 'list': {
            const items = block.items.map((item, k) => (
              <li key={k}>
                <Styled text={item} />
              </li>
            ));
            return block.ordered ? <ol key={i}>{items}</ol> : <ul key={i}>{items}</ul>;
          }
          case 'code':
            return (
              <pre key={i}>
                <Revealed text={block.text} />
              </pre>
            );
          case 'rule':
            return <hr key={i} />;
        }
      })}
    </div>
  );
}
