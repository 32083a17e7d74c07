import { html } from 'hono/html';
import type { Severity } from '../../fixtures/requirements/model.ts';
import type { Piece } from '../difference.ts';
import type { FindingGroup } from '../findings.ts';
import { plain } from '../plain.ts';
import { severityWords } from '../status-words.ts';

/** Markup whose text is escaped. */
export type Html = ReturnType<typeof html>;

/** Text of a stranger on one line; what stands between backticks is shown as code. */
export function prose(text: string, limit = 800): Html {
  const parts = plain(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

/** `2026-03-02 09:00 UTC`. */
export function minuteOf(iso: string): string {
  return plain(iso).replace(/^(\S+)T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}

/** A text whose differing pieces are marked. */
export function marked(pieces: readonly Piece[]): Html {
  return html`${pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}`;
}

/** The severity of a finding, in its colour. */
export function severityMark(severity: Severity): Html {
  return html`<span class="severity ${severity}">${severityWords[severity]}</span>`;
}

/** How often a finding was met, where it was more than once. */
export function timesMark(times: number): Html | null {
  return times > 1 ? html` <span class="times">${times} times</span>` : null;
}

/** Ids may hold anything; fragments of a page may not. */
export function fragment(kind: 'requirement' | 'topic' | 'request' | 'finding', id: string | number): string {
  return `${kind}-${plain(String(id), 120).replace(/[^\w.-]/g, '_')}`;
}

/** Fragments of the findings by their cause. They name the requirement, so that a link holds from run to run. */
export type FindingLinks = ReadonlyMap<string, string>;

export function findingLinks(groups: readonly FindingGroup[]): FindingLinks {
  const taken = new Map<string, number>();
  return new Map(
    groups.map(({ cause, requirement: { id } }) => {
      const count = (taken.get(id) ?? 0) + 1;
      taken.set(id, count);
      return [cause, fragment('finding', count === 1 ? id : `${id}-${count}`)];
    }),
  );
}
