import type { ComparedRow, Comparison } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { htmlDocument } from '../html/document.ts';
import { differenceRows, type Html, minuteOf, prose, severityMark } from '../html/text.ts';
import { plain } from '../plain.ts';
import { statusWords, toneSigns } from '../status-words.ts';
import { type Change, changes, changeTitles, comparisonHeadline, rowsWith, toneOfComparison } from './model.ts';
import { nameOf, signOf, statusesText } from './terminal.ts';

/** A comparison as a self-contained HTML page. */
export function comparisonHtml(comparison: Comparison): string {
  const { runs, causes, rows, notes } = comparison;
  const headline = comparisonHeadline(comparison);
  const tone = toneOfComparison(comparison);
  const body = html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${toneSigns[tone]}</span> ${headline}</h1>
<dl class="difference">${runs.map(
    (run, index) => html`<dt>${nameOf(index, runs.length)}</dt>
<dd><b>${plain(run.headline)}</b> <code>${plain(run.name, 200)}</code> ${plain(run.label ?? '')}
${minuteOf(run.startedAt)}, kit ${plain(run.kitVersion)}</dd>`,
  )}</dl>
${notes.length > 0 && html`<ul class="warnings">${notes.map((note) => html`<li>Warning: ${plain(note)}.</li>`)}</ul>`}
</header>
<main>
${runs.length > 2 ? html`${columns('Causes', causes)}${columns('Requirements', rows)}` : null}
${changes.map((change) => section(changeTitles.causes[change], rowsWith(causes, change), change, causeView))}
${changes.map((change) => section(changeTitles.rows[change], rowsWith(rows, change), change, rowView))}
</main>`;
  return htmlDocument({ title: `Comparison: ${headline}`, body, isFiltered: false });
}

/** One column for each run. */
function columns(title: string, rows: readonly ComparedRow[]): Html | null {
  const [first] = rows;
  if (first === undefined) return null;
  const heads = first.statuses.map((_, index) => html`<th scope="col">${index + 1}</th>`);
  return html`<section><h2>${title} by run</h2>
<div class="scrolls" role="region" aria-label="${title} by run" tabindex="0">
<table><thead><tr><th scope="col">${title}</th>${heads}</tr></thead>
<tbody>${rows.map(
    ({
      id,
      title: text,
      statuses,
    }) => html`<tr><th scope="row">${title === 'Causes' ? prose(text, 200) : plain(id)}</th>
${statuses.map((status) => html`<td class="${status ?? ''}">${signOf(status)}</td>`)}</tr>`,
  )}</tbody></table></div></section>`;
}

const openAtFirst: readonly Change[] = ['regression', 'new failure'];

function section(
  title: string,
  rows: readonly ComparedRow[],
  change: Change,
  view: (row: ComparedRow, change: Change) => Html,
): Html | null {
  if (rows.length === 0) return null;
  return html`<details class="changes" ${openAtFirst.includes(change) && html`open`}>
<summary><h2>${title} (${rows.length})</h2></summary>
${rows.map((row) => view(row, change))}</details>`;
}

function causeView({ title, id, severity }: ComparedRow): Html {
  return html`<p>${prose(title)} ${severityMark(severity)} <span class="id">${plain(id)}</span></p>`;
}

function rowView(row: ComparedRow, change: Change): Html {
  const { id, severity, title, statuses } = row;
  const finding = change === 'fixed' ? undefined : row.finding;
  const status = statuses.at(-1) ?? 'not-tested';
  return html`<article class="change ${status}"><h3><span class="sign"
aria-hidden="true">${statusWords[status].sign}</span>
${plain(id)} <span class="status">${statusesText(row)}</span> ${severityMark(severity)}</h3>
<p>${prose(title)}</p>
${finding && html`<dl class="difference">${differenceRows(finding)}</dl>`}</article>`;
}
