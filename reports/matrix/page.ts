import { html } from 'hono/html';
import type { CauseRow } from '../compare/cause-rows.ts';
import type { RunHead } from '../compare/model.ts';
import { shownValues } from '../compare/words.ts';
import { htmlDocument } from '../html/document.ts';
import { shareBar } from '../html/share.ts';
import { pageStyle } from '../html/style.ts';
import { type Html, minuteOf, prose } from '../html/text.ts';
import { plain } from '../plain.ts';
import { deploymentName, statusWords } from '../status-words.ts';
import { type Answers, type Column, isBroken, isTelling, type Matrix, type Row } from './model.ts';
import { causeSigns, causeWords, sinceBefore } from './terminal.ts';

/** Style of tables with one column for each run. */
export const matrixStyle = `
.runs { overflow-x: auto; }
.runs td, .runs thead th { text-align: center; padding: .15rem .5rem; }
.runs th[scope=row] { text-align: left; white-space: normal; min-width: 16rem; }
.runs thead th { white-space: normal; min-width: 6rem; vertical-align: bottom; }
.runs .share { width: 6rem; margin: .2rem auto; }
.runs thead th { font-size: .9rem; }
@media (max-width: 44rem) {
  .runs th[scope=row] { min-width: 8rem; }
  .runs thead th { min-width: 4.5rem; font-size: .8rem; }
  .runs .share { width: 4rem; }
  .runs .statement { display: none; }
}
`;

const style = `${pageStyle}
body { max-width: none; }
${matrixStyle}`;

/** Self-contained page with a column for each run, the oldest first, and a row for each requirement. */
export function matrixHtml(matrix: Matrix): string {
  const broken = matrix.rows.filter(isBroken);
  const uneven = matrix.rows.filter((row) => isTelling(row) && !isBroken(row));
  const others = matrix.rows.filter((row) => !isTelling(row));
  const body = html`<header class="masthead ${matrix.worse.length > 0 ? 'bad' : 'partial'}">
<h1>${sinceBefore(matrix)}</h1>
<ul class="warnings">${matrix.notes.map((note) => html`<li>Warning: ${plain(note)}.</li>`)}</ul>
${changes('Worse', matrix.worse)}${changes('Better', matrix.better)}
</header>
<main>
${causesSection(matrix)}
<section><h2>Not passed in some run (${broken.length})</h2>${table(matrix.columns, broken)}</section>
${observationsSection(matrix)}
${folded(`Tested in some runs only (${uneven.length})`, matrix.columns, uneven)}
${folded(`The same in every run (${others.length})`, matrix.columns, others)}
</main>`;
  return htmlDocument({ title: `Matrix of ${matrix.columns.length} runs`, body, style, script: '' });
}

function folded(title: string, columns: readonly Column[], rows: readonly Row[]): Html | null {
  if (rows.length === 0) return null;
  return html`<details class="changes"><summary><h2>${title}</h2></summary>${table(columns, rows)}</details>`;
}

function changes(title: string, ids: readonly string[]): Html | null {
  if (ids.length === 0) return null;
  return html`<details><summary>${title} (${ids.length})</summary><p
class="id">${plain(ids.join(', '), 20_000)}</p></details>`;
}

function table(columns: readonly Column[], rows: readonly Row[]): Html {
  if (rows.length === 0) return html`<p class="empty">None.</p>`;
  const topics = [...Map.groupBy(rows, ({ topic }) => topic)];
  return html`<div class="runs" tabindex="0" role="group" aria-label="Requirements by run"><table>
<thead><tr><th scope="col">Requirement</th>${columns.map(heading)}</tr></thead>
${topics.map(
  ([
    topic,
    inTopic,
  ]) => html`<tbody><tr><th scope="rowgroup" colspan="${columns.length + 1}"><b>${plain(topic)}</b></th></tr>
${inTopic.map(rowOf)}</tbody>`,
)}
</table></div>`;
}

function heading({ label, startedAt, headline, counts, verdict, complete, ...run }: Column): Html {
  const good = verdict === 'conformant' && complete;
  return html`<th scope="col" class="${good && 'good'}">${plain(label ?? deploymentName(run), 60)}<br>
${minuteOf(startedAt)}
${shareBar(counts, headline, 10)}<span class="statement">${headline}</span></th>`;
}

function rowOf({ id, statement, statuses }: Row): Html {
  return html`<tr><th scope="row"><span class="id">${plain(id)}</span><span
class="statement"><br>${prose(statement)}</span></th>${statuses.map((status) =>
    status === undefined
      ? html`<td>-</td>`
      : html`<td><span class="cell ${status}" role="img" aria-label="${statusWords[status].word}"
title="${statusWords[status].word}">${statusWords[status].sign}</span></td>`,
  )}</tr>`;
}

interface CausesByRun {
  readonly columns: readonly RunHead[];
  readonly causes: readonly CauseRow[];
}

/** All causes with their state in each run. */
export function causesSection({ columns, causes }: CausesByRun): Html | null {
  if (causes.length === 0) return null;
  return html`<section><h2>Causes (${causes.length})</h2>
<div class="runs" tabindex="0" role="group" aria-label="Causes by run"><table>
<thead><tr><th scope="col">Cause</th>${columns.map(
    ({ label, startedAt, ...run }) => html`<th scope="col">${plain(label ?? deploymentName(run), 60)}<br>
${minuteOf(startedAt)}</th>`,
  )}</tr></thead>
<tbody>${causes.map(
    ({ title, requirement, states }) => html`<tr><th scope="row">${prose(title)}
<span class="id">${plain(requirement)}</span></th>${states.map(
      (state) => html`<td><span class="cell ${cellOf[state]}" role="img" aria-label="${causeWords[state]}"
title="${causeWords[state]}">${causeSigns[state]}</span></td>`,
    )}</tr>`,
  )}</tbody></table></div></section>`;
}

const cellOf = { there: 'failed', known: 'known-failure', absent: 'passed', 'not-tested': 'not-tested' } as const;

function observationsSection({ columns, observations }: Matrix): Html | null {
  if (observations.length === 0) return null;
  return html`<section><h2>Observations that differ (${observations.length})</h2>
<div class="runs" tabindex="0" role="group" aria-label="Observations by run"><table>
<thead><tr><th scope="col">Open question</th>${columns.map(
    ({ label, ...run }) => html`<th
scope="col">${plain(label ?? deploymentName(run), 60)}</th>`,
  )}</tr></thead>
<tbody>${observations.map(observation)}</tbody></table></div></section>`;
}

function observation({ id, question, values }: Answers): Html {
  return html`<tr><th scope="row">${prose(question)} <span class="id">${plain(id)}</span></th>${values.map(
    (each) => html`<td>${each === undefined ? '-' : html`<code>${plain(shownValues([...each]), 120)}</code>`}</td>`,
  )}</tr>`;
}
