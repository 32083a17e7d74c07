/** Markup in which every text is escaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template. Strings are escaped; null, undefined and false are left out. */
type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Markup around values: html`<p>${text}</p>`. */
export function html(markup: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(String.raw({ raw: markup }, ...values.map(shown)));
}

/** Markup that is already safe, such as a style of the kit. */
export const raw = (markup: string): Html => new Html(markup);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function shown(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(shown).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
