/// <reference lib="dom" />
import type { Make } from './make.ts';

/** What a client needs to call a sandbox, as the control plane tells it. */
export interface Access {
  readonly baseUrl: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly workspaces: readonly { readonly slug: string; readonly board: string }[];
}

/** Shows the base URL, the keys and a first request, each with a button that copies it. */
export function connect(make: Make, at: (id: string) => HTMLElement): { show(access: Access): void } {
  function copyButton(text: string, what: string): HTMLElement {
    const button = make('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, 'Copy');
    const said = (words: string): void => {
      button.textContent = words;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    };
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(
        () => said('Copied'),
        () => said('Not allowed'),
      );
    });
    return button;
  }

  /** A text with its button. */
  function copyable(id: string, text: string, what: string): void {
    at(id).replaceChildren(make('code', {}, text), copyButton(text, what));
  }

  return {
    show({ baseUrl, keys, workspaces }) {
      // The stub knows its host from the request, but not whether that came over TLS.
      const url = location.origin + new URL(baseUrl).pathname.replace(/\/$/, '');
      const [first] = workspaces;
      const body = JSON.stringify({ workspace: first?.slug });
      copyable('base-url', url, 'the base URL');
      copyable(
        'first-request',
        `curl -X POST ${url}/api/v1/tools/schedule.read -H 'Authorization: Bearer ${keys.primary}' -d '${body}'`,
        'the first request',
      );
      for (const cell of at('keys-by-role').querySelectorAll<HTMLElement>('[data-key]')) {
        const role = cell.dataset.key ?? '';
        copyable(cell.id, keys[role] ?? '', `the key of ${role}`);
      }
      at('workspaces').textContent = workspaces.map(({ slug, board }) => `${slug} (board ${board})`).join(', ');
    },
  };
}
