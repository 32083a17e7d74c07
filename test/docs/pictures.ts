// `npm run pictures`: creates the image of the README from a real run against the stub with defects.
import { mkdir } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright-core';
import { reportOf } from '../../reports/report.ts';
import { renderSummary } from '../../reports/terminal/summary.ts';
import { createStub } from '../../stub/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import { defaultPace } from '../../suites/target/target.ts';
import { combineDefects } from '../mutations/defects/index.ts';
import { inProcess } from '../stub-target.ts';

const stub = createStub({
  deviation: combineDefects(['unknown-tool-named-in-404', 'confirmation-good-twice', 'expired-key-is-told']),
});
const result = await audit(inProcess(stub, { pace: defaultPace, baseUrl: 'https://api.example.test', kind: 'url' }), {
  seed: 1,
  label: 'release 1.42',
});

const colors: Readonly<Record<string, string>> = {
  1: 'font-weight: bold',
  2: 'opacity: .65',
  4: 'text-decoration: underline',
  31: 'color: #ff8b82',
  32: 'color: #7fce8b',
  33: 'color: #f0c265',
  36: 'color: #7ad0e0',
};

/** Converts terminal output with colors to HTML. */
function terminalPage(text: string): string {
  const escaped = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const spans = escaped.replace(new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g'), (_, code: string) =>
    code in colors ? `<span style="${colors[code]}">` : '</span>',
  );
  const style =
    'margin: 0; padding: 1rem; white-space: pre-wrap; background: #16181b; color: #e6e6e3; ' +
    'font: 14px/1.35 "DejaVu Sans Mono", monospace';
  return `<!doctype html><meta charset="utf-8"><body style="margin: 0"><pre style='${style}'>${spans}</pre>`;
}

const folder = new URL('../../docs/pictures/', import.meta.url);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const summary = renderSummary(reportOf(result), { color: true, reportDir: 'tck-report', written: true });
console.log(stripVTControlCharacters(summary).split('\n')[0]);
const page = await browser.newPage({ viewport: { width: 900, height: 560 } });
await page.setContent(terminalPage(`$ tck run --config tck.config.json\n${summary}`));
await page.screenshot({ path: new URL('terminal.png', folder).pathname });
await browser.close();
await stub.close();
