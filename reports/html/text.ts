import { html } from 'hono/html';
import type { Piece } from '../difference.ts';
import { plain } from '../plain.ts';

/** Markup whose text is escaped. */
export type Html = ReturnType<typeof html>;

/** Text of a stranger on one line; what stands between backticks is shown as code. */
export function prose(text: string, limit = 800): Html {
  const parts = plain(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

/** A text whose differing pieces are marked. */
export function marked(pieces: readonly Piece[]): Html {
  return html`${pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}`;
}

/** Ids may hold anything; fragments of a page may not. */
export function fragment(kind: 'requirement' | 'topic' | 'request' | 'finding', id: string | number): string {
  return `${kind}-${plain(String(id), 120).replace(/[^\w.-]/g, '_')}`;
}
