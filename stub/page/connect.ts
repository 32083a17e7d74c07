/// <reference lib="dom" />
import type { Make } from './make.ts';

/** Configuration that a client needs to use a sandbox. */
export interface Access {
  readonly baseUrl: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly workspaces: readonly { readonly slug: string; readonly board: string }[];
}

/** Shows the base URL, the keys and an example request, each with a copy button. */
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

  /** Shows a text with its copy button. */
  function copyable(id: string, text: string, what: string): void {
    at(id).replaceChildren(make('code', {}, text), copyButton(text, what));
  }

  return {
    show({ baseUrl, keys, workspaces }) {
      // Behind a proxy that terminates TLS, the stub reports http. The origin of the page is correct.
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
