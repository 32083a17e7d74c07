import type { Severity } from '../../fixtures/requirements/model.ts';
import type { Status } from '../../suites/result.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import type { Piece } from '../difference.ts';
import { limited, plain } from '../plain.ts';
import { isCritical, severityWords, statusWords } from '../status-words.ts';

/** Untrusted text on one line. Shows text between backticks as code. */
export function prose(text: string, limit = 800): Html {
  const parts = plain(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

/** A text with differing pieces highlighted. */
export function marked(pieces: readonly Piece[]): Html {
  return html`${pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))}`;
}

/**
 * Source of a requirement, such as `Errors, ok; Endpoints`. If the address of the specification is known, each section
 * links to its text there.
 */
export function sourceLinks(source: string, documentUrl: string | undefined): Html {
  if (documentUrl === undefined || !/^https?:/.test(documentUrl) || !URL.canParse(documentUrl)) return prose(source);
  const links = plain(source, 800)
    .split('; ')
    .map((part) => {
      const [section = part] = part.split(',');
      const url = new URL(documentUrl);
      url.hash = `:~:text=${encodeURIComponent(section).replaceAll('-', '%2D')}`;
      return html`<a href="${url.href}">${prose(part)}</a>`;
    });
  return separated(links, '; ');
}

/** Items with a separator between them. */
export function separated(items: readonly Html[], separator = ', '): Html {
  return html`${items.map((item, index) => html`${index > 0 && separator}${item}`)}`;
}

/** Sign of a status, in its color. Hidden from screen readers, because a word follows. */
export function signOf(status: Status): Html {
  return html`<span class="sign ${status}" aria-hidden="true">${statusWords[status].sign}</span>`;
}

/** Severity of a finding, in its color. */
export function severityMark(severity: Severity): Html {
  return html`<small${isCritical({ severity }) && html` class="critical"`}>${severityWords[severity]}</small>`;
}

/** Builds a URL fragment. Replaces characters that a fragment cannot contain, because IDs can contain any text. */
export function fragment(kind: 'requirement' | 'request' | 'cause', id: string | number): string {
  return `${kind}-${plain(String(id), 120).replace(/[^\w.-]/g, '_')}`;
}

/** Links to requirements: `headers.json, bodies.size`. */
export function requirementLinks(ids: readonly string[]): Html {
  return separated(ids.map((id) => html`<a href="#${fragment('requirement', id)}">${plain(id)}</a>`));
}

/** Maximum number of links to exchanges. The rest is only counted. */
const mostLinks = 40;

/** Links to requests: `#1, #2`. */
export function requestLinks(given: readonly number[]): Html {
  const links = [...new Set(given)].map((id) => html`<a href="#${fragment('request', id)}">#${id}</a>`);
  return separated(limited(links, mostLinks, (rest) => html`${rest} more`));
}

/** A list of texts, each of them markup. Null if there are none. */
export function bullets(items: readonly Html[]): Html | null {
  return items.length === 0 ? null : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** A section with a heading. Null without a body. */
export function section(id: string, title: string, body: Html | null): Html | null {
  if (body === null) return null;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>`;
}
