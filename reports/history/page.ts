import { html } from 'hono/html';
import { htmlDocument } from '../html/document.ts';
import { pageStyle } from '../html/style.ts';
import { type Html, minuteOf } from '../html/text.ts';
import { causesSection, matrixStyle } from '../matrix/page.ts';
import { plain } from '../plain.ts';
import type { History, HistoryRun } from './model.ts';
import { nameOf, notesOf, secondsOf, trendOf } from './terminal.ts';

const style = `${matrixStyle}
.charts { margin-top: 1rem; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.charts figure { margin: 0; padding: .6rem .8rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 6px; }
.charts figcaption { font-weight: 600; }
.charts svg { display: block; width: 100%; height: auto; }
.charts rect { fill: var(--kept); }
.charts .problems rect { fill: var(--bad); }
.charts text { font: 11px system-ui, sans-serif; fill: var(--text); text-anchor: middle; }
`;

/** A history as a self-contained HTML page: a chart for each figure, then the runs and the causes. */
export function historyHtml({ runs, causes }: History): string {
  const notes = notesOf(runs);
  const body = html`<header class="masthead ${(runs.at(-1)?.causes ?? 0) > 0 ? 'bad' : 'partial'}">
<h1>${trendOf(runs)}</h1>
<ul class="warnings">${notes.map((note) => html`<li>Warning: ${plain(note)}.</li>`)}</ul>
</header>
<main>
<section aria-label="Charts" class="charts">
${chart('Causes', runs, ({ causes: count }) => count, String, true)}
${chart('Failed requirements', runs, ({ requirements }) => requirements.failed, String, true)}
${chart('Duration', runs, ({ durationMs }) => durationMs, secondsOf)}
${chart('Requests', runs, ({ requests }) => requests)}
</section>
<section><h2>Runs (${runs.length})</h2>${runsTable(runs)}</section>
${causesSection({ columns: runs, causes })}
</main>`;
  return htmlDocument({ title: `History: ${trendOf(runs)}`, body, style: `${pageStyle}${style}`, script: '' });
}

const [height, step, top, bottom] = [110, 60, 16, 16];

/** A bar for each run, with its number below and its value above. */
function chart(
  title: string,
  runs: readonly HistoryRun[],
  figureOf: (run: HistoryRun) => number,
  wordsOf: (value: number) => string = String,
  isProblem = false,
): Html {
  const values = runs.map(figureOf);
  const most = Math.max(1, ...values);
  const width = Math.max(4, runs.length) * step;
  const bars = values.map((value, index) => {
    const tall = (value / most) * (height - top - bottom);
    const middle = index * step + step / 2;
    return html`<rect x="${middle - 16}" y="${height - bottom - tall}" width="32" height="${tall}"/>
<text x="${middle}" y="${height - bottom - tall - 4}">${wordsOf(value)}</text>
<text x="${middle}" y="${height - 3}">${index + 1}</text>`;
  });
  const words = values.map((value, index) => `run ${index + 1}: ${wordsOf(value)}`).join(', ');
  return html`<figure class="${isProblem && 'problems'}"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title} by run. ${words}.">${bars}</svg></figure>`;
}

function runsTable(runs: readonly HistoryRun[]): Html {
  return html`<div class="runs" tabindex="0" role="group" aria-label="Runs"><table>
<thead><tr><th scope="col">Run</th><th scope="col">Started</th><th scope="col">Causes</th><th scope="col">New</th><th
scope="col">Fixed</th><th scope="col">Failed</th><th scope="col">Tested</th><th scope="col">Duration</th><th
scope="col">Requests</th></tr></thead>
<tbody>${runs.map((run, index) => {
    const { startedAt, causes, added, gone, requirements, durationMs, requests } = run;
    return html`<tr><th scope="row">${index + 1}. ${nameOf(run)}</th><td>${minuteOf(startedAt)}</td>
<td>${causes}</td><td>${index === 0 ? '–' : added}</td><td>${index === 0 ? '–' : gone}</td>
<td>${requirements.failed}</td><td>${requirements.tested} of ${requirements.total}</td>
<td>${secondsOf(durationMs)}</td><td>${requests}</td></tr>`;
  })}</tbody></table></div>`;
}
