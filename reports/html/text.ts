import type { Severity } from '../../fixtures/requirements/model.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import { explainedBy, explanationUrl } from '../catalogue-place.ts';
import { difference, type Piece } from '../difference.ts';
import { plain } from '../plain.ts';
import { severityWords } from '../status-words.ts';

/** Markup whose text is escaped. */
export type { Html };

/** Untrusted text on one line. Shows text between backticks as code. */
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

/** A text with differing pieces highlighted. */
export function marked(pieces: readonly Piece[]): Html {
  return html`${pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}`;
}

/** The expected and the actual value, with their differences highlighted. */
export function differenceRows(finding: { readonly expected: string; readonly actual: string }): Html {
  const { expected, actual } = difference(plain(finding.expected, 900), plain(finding.actual, 900));
  return html`<dt>expected</dt><dd class="expected">${marked(expected)}</dd>
<dt>actual</dt><dd class="actual">${marked(actual)}</dd>`;
}

/** The command that explains a requirement, as a link if its page is published. Null for a client rule. */
export function explanation(id: string): Html | null {
  if (explainedBy(id).length === 0) return null;
  const url = explanationUrl(id);
  const command = html`tck explain ${plain(id)}`;
  return url === undefined ? html`<code>${command}</code>` : html`<a href="${url}">${command}</a>`;
}

/**
 * Source of a requirement, such as `Errors, ok; Endpoints`. If the address of the specification is known, each section
 * links to its text there.
 */
export function sourceLinks(source: string, documentUrl: string | undefined): Html {
  if (documentUrl === undefined || !/^https?:/.test(documentUrl) || !URL.canParse(documentUrl)) return prose(source);
  const links = plain(source, 800)
    .split('; ')
    .map((part, index) => {
      const [section = part] = part.split(',');
      const url = new URL(documentUrl);
      url.hash = `:~:text=${encodeURIComponent(section).replaceAll('-', '%2D')}`;
      return html`${index > 0 && '; '}<a href="${url.href}">${prose(part)}</a>`;
    });
  return html`${links}`;
}

/** Severity of a finding, in its color. */
export function severityMark(severity: Severity): Html {
  return html`<span class="severity ${severity}">${severityWords[severity]}</span>`;
}

/** Number of times that a finding occurred. Null if it occurred only once. */
export function timesMark(times: number): Html | null {
  return times > 1 ? html` <span class="times">${times} times</span>` : null;
}

/** Builds a URL fragment. Replaces characters that a fragment cannot contain, because IDs can contain any text. */
export function fragment(kind: 'requirement' | 'request' | 'cause', id: string | number): string {
  return `${kind}-${plain(String(id), 120).replace(/[^\w.-]/g, '_')}`;
}

/** The ID of a requirement, which links to the requirement. */
export function requirementLink(id: string): Html {
  return html`<a href="#${fragment('requirement', id)}">${plain(id)}</a>`;
}

/** Links to requirements: `headers.json, bodies.size`. */
export function requirementLinks(ids: readonly string[]): Html {
  return html`${ids.map((id, index) => html`${index > 0 && ', '}${requirementLink(id)}`)}`;
}

/** A section with a heading. */
export function section(id: string, title: string, body: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>`;
}
