/// <reference lib="dom" />
import { hash } from 'node:crypto';
import type { LiveEvent } from './events.ts';

/** Runs in the browser. The page contains the source of this function, so the function is self-contained. */
function live(): void {
  const mostRows = 300;
  const at = (id: string): HTMLElement => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`The page has no ${id}.`);
    return found;
  };
  const row = (...texts: readonly string[]): HTMLElement => {
    const made = document.createElement('tr');
    for (const text of texts) made.append(Object.assign(document.createElement('td'), { textContent: text }));
    return made;
  };
  const put = (id: string, made: HTMLElement): void => {
    at(id).prepend(made);
    while (at(id).childElementCount > mostRows) at(id).lastElementChild?.remove();
  };
  const show = (event: LiveEvent): void => {
    if (event.kind === 'exchange') {
      const { number, sender, tool, outcome, durationMs } = event;
      const time = new Date(event.at).toISOString().slice(11, 23);
      const took = durationMs === null ? '–' : `${durationMs.toFixed(0)} ms`;
      put('requests', row(String(number), time, sender, tool, outcome, took));
    } else if (event.kind === 'finding') {
      put('findings', row(event.id, event.expected, event.actual, event.places.join(', ')));
      at('none').hidden = true;
    } else {
      const { passed, waiting, mostWaiting, unjudged } = event;
      const missed = unjudged === 0 ? '' : `, ${unjudged} not judged`;
      at('progress').textContent =
        `${passed} requests, ${waiting} of at most ${mostWaiting} wait to be judged${missed}`;
    }
  };
  const source = new EventSource('events');
  source.onopen = () => {
    for (const id of ['requests', 'findings']) at(id).replaceChildren();
    at('connection').textContent = 'live';
  };
  source.onmessage = ({ data }) => show(JSON.parse(data));
  source.onerror = () => {
    at('connection').textContent = 'The proxy has stopped. See its report.';
  };
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#c9c8c2, #454b52); --faint: light-dark(#565b62, #a9aeb5); --bad:
light-dark(#a8201a, #ff9d94); }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.4rem; margin: 0 0 .3rem; } h2 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p { margin: .2rem 0; color: var(--faint); }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
font-weight: normal; }
th { color: var(--faint); font-size: .85rem; }
#findings td:first-child { color: var(--bad); font-weight: 600; }
`;

const table = (id: string, title: string, columns: readonly string[], note = '') =>
  `<section tabindex="0" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${note}
<table><thead><tr>${columns.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead><tbody
id="${id}"></tbody></table></section>`;

const script = `(${live})();`;
const sha256 = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

export const livePage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sha256(style)}`,
      `script-src ${sha256(script)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
initial-scale=1"><title>tck proxy, live</title>
<style>${style}</style></head><body><header><h1>tck proxy, live</h1><p><span id="connection"
role="status">connecting</span> · <span id="progress">no request yet</span></p></header>
<main>${table('findings', 'Findings', ['Requirement', 'Expected', 'Actual', 'Where'], '<p id="none">None so far.</p>')}
${table('requests', 'Requests, the latest first', ['No.', 'Time, UTC', 'Key', 'Tool', 'Outcome', 'Took'])}</main>
<script>${script}</script></body></html>`,
};
