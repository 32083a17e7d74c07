import { html } from 'hono/html';
import { difference } from '../difference.ts';
import { htmlDocument } from '../html/document.ts';
import { pageStyle } from '../html/style.ts';
import { type Html, marked, minuteOf, prose, severityMark } from '../html/text.ts';
import { plain } from '../plain.ts';
import { deploymentName, statusWords, toneSigns } from '../status-words.ts';
import { type Category, categories, categoryTitles, causeTitles } from './category.ts';
import { type CauseChange, causeChanges } from './cause-rows.ts';
import type { Change, Comparison, Drift, RunHead } from './model.ts';
import { changed, notes, shownValues, toneOfComparison, verdictOfComparison } from './words.ts';

/** A comparison as a self-contained HTML page. */
export function comparisonHtml(comparison: Comparison): string {
  const verdict = verdictOfComparison(comparison);
  const tone = toneOfComparison(comparison);
  const body = html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${toneSigns[tone]}</span> ${verdict}</h1>
<dl class="difference"><dt>before</dt><dd>${head(comparison.before)}</dd>
<dt>after</dt><dd>${head(comparison.after)}</dd></dl>
<ul class="warnings">${notes(comparison).map((note) => html`<li>Warning: ${plain(note)}.</li>`)}</ul>
</header>
<main>
${causeChanges.map((change) => causesSection(change, comparison.causes[change]))}
${categories.map((category) => categorySection(category, comparison.changes[category]))}
${driftSection(comparison.observations)}
${countsSection(comparison)}
</main>`;
  return htmlDocument({ title: `Comparison: ${verdict}`, body, style: pageStyle, script: '' });
}

function head({ headline, label, startedAt, kitVersion, ...run }: RunHead): Html {
  const target = html`<code>${plain(deploymentName(run), 200)}</code>${label !== null && ` ${plain(label)}`}`;
  return html`<b>${headline}</b> ${target} ${minuteOf(startedAt)}, kit ${plain(kitVersion)}`;
}

/** Regressions and other failures are expanded. All other sections are collapsed. */
const openAtFirst: readonly Category[] = ['regressions', 'otherFailures'];

function causesSection(change: CauseChange, titles: readonly string[]): Html | null {
  if (titles.length === 0) return null;
  return html`<section class="causes"><h2>${causeTitles[change]} (${titles.length})</h2>
<ul>${titles.map((title) => html`<li>${prose(title)}</li>`)}</ul></section>`;
}

function categorySection(category: Category, changes: readonly Change[]): Html | null {
  if (changes.length === 0) return null;
  return html`<details class="changes" ${openAtFirst.includes(category) && html`open`}>
<summary><h2>${categoryTitles[category]} (${changes.length})</h2></summary>
${changes.map((change) => changeView(change, category))}</details>`;
}

function changeView(change: Change, category: Category): Html {
  const { id, severity, statement, after, finding } = change;
  const status = after ?? 'not-tested';
  return html`<article class="change ${status}"><h3><span class="sign"
aria-hidden="true">${statusWords[status].sign}</span>
${plain(id)} <span class="status">${changed(change)}</span> ${severityMark(severity)}</h3>
<p>${prose(statement)}</p>
${finding !== null && category !== 'fixes' && findingView(finding)}</article>`;
}

function findingView(finding: NonNullable<Change['finding']>): Html {
  const { expected, actual } = difference(plain(finding.expected, 900), plain(finding.actual, 900));
  return html`<dl class="difference"><dt>expected</dt><dd class="expected">${marked(expected)}</dd>
<dt>actual</dt><dd class="actual">${marked(actual)}</dd><dt>hint</dt><dd>${prose(finding.hint)}</dd></dl>`;
}

function driftSection(observations: readonly Drift[]): Html | null {
  if (observations.length === 0) return null;
  return html`<section><h2>Changed observations (${observations.length})</h2><dl
class="observations">${observations.map(
    ({ id, question, before, after }) => html`<div><dt>${prose(question)} <span class="id">${plain(id)}</span></dt>
<dd>before <code>${plain(shownValues(before))}</code>, after <code>${plain(shownValues(after))}</code></dd></div>`,
  )}</dl></section>`;
}

function countsSection({ counts }: Comparison): Html | null {
  if (counts.length === 0) return null;
  return html`<section><h2>Changed counts</h2><table><thead><tr><th scope="col">count</th><th scope="col">before</th><th
scope="col">after</th></tr></thead>
<tbody>${counts.map(
    ({ name, before, after }) => html`<tr><th
scope="row">${name}</th><td>${before}</td><td>${after}</td></tr>`,
  )}</tbody></table></section>`;
}
