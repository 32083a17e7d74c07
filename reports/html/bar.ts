import { severities } from '../../fixtures/requirements/model.ts';
import { byTopic } from '../../suites/causes/order.ts';
import { statuses } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { byStatus } from '../../suites/verdict.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { statusWords } from '../status-words.ts';
import { type Html, severityMark } from './text.ts';

/** Sticky bar: links to sections, and counts that filter findings and requirements. The URL contains the filter. */
export function bar(report: Report): Html {
  const { result, causes, figures } = report;
  const topics = [...new Set(result.requirements.toSorted(byTopic).map(({ topic }) => topic))];
  const counts = byStatus(figures);
  return html`<div class="bar">
${sections(report)}
<form role="search" aria-label="Causes and requirements" data-filter>
<p><label>Search <kbd>/</kbd> <input name="q" type="search" autocomplete="off" spellcheck="false"></label></p>
${
  causes.length > 0 &&
  html`<fieldset><legend>Causes</legend>${severities.map((severity) => {
    const count = causes.filter((cause) => cause.severity === severity).length;
    return chip('severity', severity, severityMark(severity), count);
  })}</fieldset>`
}
<fieldset><legend>Requirements</legend>${statuses.map((status) => {
    const { sign, word } = statusWords[status];
    return chip(
      'status',
      status,
      html`<span class="sign ${status}" aria-hidden="true">${sign}</span> ${word}`,
      counts[status],
    );
  })}</fieldset>
<p><label>Topic <select name="topic"><option value="">all</option>${topics.map(
    (topic) => html`<option value="${plain(topic)}">${plain(topic)}</option>`,
  )}</select></label></p>
<p><button type="reset">Clear</button> <output></output></p>
</form>
</div>`;
}

function chip(name: string, value: string, words: Html, count: number): Html | null {
  if (count === 0) return null;
  return html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"> ${words}
<b>${count}</b></label> `;
}

function sections({ result, figures, causes }: Report): Html {
  const { observations, exchanges, leftBehind } = result;
  const left = leftBehind.contentRequests.length + leftBehind.runs.length + leftBehind.proposals;
  const links: readonly (readonly [id: string, text: string, count: number])[] = [
    ['findings', 'Causes', causes.length],
    ['gaps', 'Not tested', figures.notTested],
    ['requirements', 'Requirements', figures.total],
    ['observations', 'Observations', observations.length],
    ['left-behind', 'Left behind', left],
    ['requests', 'Requests', exchanges.length],
  ];
  return html`<nav aria-label="Sections"><ul>${links
    .filter(([, , count]) => count > 0)
    .map(([id, text, count]) => html`<li><a href="#${id}">${text} <b>${count}</b></a></li>`)}</ul></nav>`;
}
