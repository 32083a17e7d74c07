import { severities } from '../../fixtures/requirements/model.ts';
import type { Cause } from '../../suites/causes/causes.ts';
import { byTopic } from '../../suites/causes/order.ts';
import { byStatus } from '../../suites/figures.ts';
import { type RunResult, statuses } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { type Figures, figuresOf } from '../figures.ts';
import { plain } from '../plain.ts';
import { severityWords, statusWords } from '../status-words.ts';
import type { Html } from './text.ts';

/** Sticky bar: links to sections, and counts that filter findings and requirements. The URL contains the filter. */
export function bar(result: RunResult, causes: readonly Cause[]): Html {
  const topics = [...new Set(result.requirements.toSorted(byTopic).map(({ topic }) => topic))];
  const figures = figuresOf(result);
  const counts = byStatus(figures.requirements);
  return html`<div class="bar">
${sections(result, figures)}
<form role="search" aria-label="Causes and requirements" data-filter>
<p><label>Search <kbd>/</kbd> <input name="q" type="search" autocomplete="off" spellcheck="false"></label></p>
${
  causes.length > 0 &&
  html`<fieldset><legend>Causes</legend>${severities.map((severity) => {
    const count = causes.filter((cause) => cause.severity === severity).length;
    return chip(
      'severity',
      severity,
      html`<span class="severity ${severity}">${severityWords[severity]}</span>`,
      count,
    );
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

function sections(result: RunResult, { requirements, causes }: Figures): Html {
  const { observations, exchanges, target } = result;
  const links: readonly (readonly [id: string, text: string, count?: number])[] = [
    ['findings', 'Causes', causes.total],
    ['gaps', 'Not tested', requirements.notTested],
    ['requirements', 'Requirements', requirements.total],
    // Judged clients have no observations, and the sandbox of each scenario is temporary.
    ...(target.scenarios === undefined
      ? ([
          ['observations', 'Observations', observations.length],
          ['left-behind', 'Left behind'],
        ] as const)
      : []),
    ['requests', 'Requests', exchanges.length],
  ];
  return html`<nav aria-label="Sections"><ul>${links.map(
    ([id, text, count]) => html`<li><a href="#${id}">${text}${count !== undefined && html` <b>${count}</b>`}</a></li>`,
  )}</ul></nav>`;
}
