import { html } from 'hono/html';
import { statuses } from '../../suites/result.ts';
import { shownValues } from '../compare/words.ts';
import { htmlDocument } from '../html/document.ts';
import { pageStyle } from '../html/style.ts';
import { type Html, prose } from '../html/text.ts';
import { plain } from '../plain.ts';
import { statusWords } from '../status-words.ts';
import { type Answers, type Column, isTelling, type Matrix, type Row } from './model.ts';
import { sinceBefore } from './terminal.ts';

const style = `${pageStyle}
body { max-width: none; }
.runs { overflow-x: auto; }
.runs td, .runs thead th { text-align: center; padding: .15rem .5rem; }
.runs th[scope=row] { text-align: left; white-space: normal; min-width: 16rem; }
.runs thead th { white-space: normal; min-width: 6rem; vertical-align: bottom; }
.runs rect { fill: var(--idle-ground); }
.runs rect.passed { fill: var(--good); }
.runs rect.failed, .runs rect.known-failure { fill: var(--bad); }
.runs rect.errored, .runs rect.warned { fill: var(--doubt); }
.runs svg { display: block; margin: .2rem auto; }
`;

/** Runs side by side as a page that opens from disk: a column a run, the oldest first, a row a requirement. */
export function matrixHtml(matrix: Matrix): string {
  const telling = matrix.rows.filter(isTelling);
  const others = matrix.rows.filter((row) => !isTelling(row));
  const body = html`<header class="masthead ${matrix.worse.length > 0 ? 'bad' : 'partial'}">
<h1>${sinceBefore(matrix)}</h1>
${changes('Worse', matrix.worse)}${changes('Better', matrix.better)}
</header>
<main>
<section><h2>What differs or fails (${telling.length})</h2>${table(matrix.columns, telling)}</section>
${observationsSection(matrix)}
<section><h2>The same in every run (${others.length})</h2>${table(matrix.columns, others)}</section>
</main>`;
  return htmlDocument({ title: `Matrix of ${matrix.columns.length} runs`, body, style, script: '' });
}

function changes(title: string, ids: readonly string[]): Html | null {
  if (ids.length === 0) return null;
  return html`<p>${title}: ${ids.map((id, index) => html`${index > 0 && ', '}<span class="id">${plain(id)}</span>`)}</p>`;
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

function heading({ baseUrl, label, startedAt, headline, counts }: Column): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // A drawing of svg needs no style of its own for its widths, which the policy of the page would not allow.
  let from = 0;
  const parts = statuses.map((status) => {
    const share = (100 * counts[status]) / Math.max(1, all);
    from += share;
    return html`<rect class="${status}" x="${from - share}" y="0" width="${share}" height="6"></rect>`;
  });
  return html`<th scope="col">${plain(label ?? baseUrl, 60)}<br>${plain(startedAt.slice(0, 10))}
<svg viewBox="0 0 100 6" width="100" height="6" role="img" aria-label="${headline}">${parts}</svg>${headline}</th>`;
}

function rowOf({ id, statement, statuses }: Row): Html {
  return html`<tr><th scope="row"><span class="id">${plain(id)}</span><br>${prose(statement)}</th>${statuses.map(
    (status) =>
      status === undefined
        ? html`<td>-</td>`
        : html`<td><span class="cell ${status}" role="img" aria-label="${statusWords[status].word}" title="${statusWords[status].word}">${statusWords[status].sign}</span></td>`,
  )}</tr>`;
}

function observationsSection({ columns, observations }: Matrix): Html | null {
  if (observations.length === 0) return null;
  return html`<section><h2>Observations that differ (${observations.length})</h2>
<div class="runs" tabindex="0" role="group" aria-label="Observations by run"><table>
<thead><tr><th scope="col">Open question</th>${columns.map(({ baseUrl, label }) => html`<th scope="col">${plain(label ?? baseUrl, 60)}</th>`)}</tr></thead>
<tbody>${observations.map(observation)}</tbody></table></div></section>`;
}

function observation({ id, question, values }: Answers): Html {
  return html`<tr><th scope="row">${prose(question)} <span class="id">${plain(id)}</span></th>${values.map(
    (each) => html`<td>${each === undefined ? '-' : html`<code>${plain(shownValues([...each]), 120)}</code>`}</td>`,
  )}</tr>`;
}
