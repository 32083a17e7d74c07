import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from '../../suites/usage/html.ts';
import { plainLines } from '../plain.ts';
import type { Html } from './text.ts';

interface Page {
  title: string;
  body: Html;
  /** Whether the page has the filter. Default: true. */
  isFiltered?: boolean;
}

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = textOf('style.css');
const filter = textOf('browser.js');

/**
 * Self-contained HTML document that loads no resources. Its content security policy allows only the given style and
 * script, by hash, so content of the body cannot run.
 */
export function htmlDocument({ title, body, isFiltered = true }: Page): string {
  const script = isFiltered ? filter : '';
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Last line of defense: replaces control characters in texts that were not escaped earlier.
  const shown = raw(plainLines(String(body), Number.POSITIVE_INFINITY));
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${shown}
<script>${raw(script)}</script>
</body>
</html>
`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
