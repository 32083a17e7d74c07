import { html } from 'hono/html';
import type { ReportedExchange, RunResult } from '../../suites/result.ts';
import { explainedBy } from '../catalogue-place.ts';
import { difference } from '../difference.ts';
import { findingsTitle } from '../figures.ts';
import type { FindingGroup } from '../findings.ts';
import { plain } from '../plain.ts';
import { counted, statusWords } from '../status-words.ts';
import { commandView, exchangeView } from './exchange.ts';
import type { ReferenceAnswers } from './reference.ts';
import { type FindingLinks, fragment, type Html, marked, prose, severityMark, timesMark } from './text.ts';

/** Findings whose exchanges are open when the page opens. */
const openAtFirst = 5;

/** Things that came instead, named beside the first. */
const otherActuals = 20;

/** Numbers of exchanges named with a finding before the rest is only counted. */
const numbersNamed = 40;

/** The findings: a line for each, and beside them the evidence. */
export function findingsSection(
  result: RunResult,
  groups: readonly FindingGroup[],
  links: FindingLinks,
  reference: ReferenceAnswers,
): Html {
  const exchanges = new Map(result.exchanges.map((exchange) => [exchange.id, exchange]));
  const linkOf = ({ cause }: FindingGroup) => links.get(cause) ?? '';
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">${findingsTitle(result)}</h2>
${
  groups.length > 0 &&
  html`<div class="findings">
<ol class="index">${groups.map((group) => line(group, linkOf(group)))}</ol>
<div>${groups.map((group, index) => findingView(group, linkOf(group), index < openAtFirst, exchanges, reference))}</div>
</div>`
}
</section>`;
}

/** What the filter of the page looks at. */
function filtered({ status, severity, requirements }: FindingGroup): Html {
  const topics = new Set(requirements.map(({ topic }) => plain(topic)));
  return html`data-filtered data-status="${status}" data-severity="${severity}" data-topic="${[...topics].join(' ')}"`;
}

function line(group: FindingGroup, link: string): Html {
  const { status, severity, requirement, finding, times } = group;
  return html`<li class="${status}" ${filtered(group)}><span class="sign"
aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${link}">${plain(requirement.id)}</a> ${severityMark(severity)}${timesMark(times)}
<span class="statement">${prose(requirement.statement, 200)}</span>
<span class="brief">expected ${prose(finding.expected, 100)}; got ${prose(finding.actual, 100)}</span></li>`;
}

function findingView(
  group: FindingGroup,
  link: string,
  open: boolean,
  exchanges: ReadonlyMap<number, ReportedExchange>,
  reference: ReferenceAnswers,
): Html {
  const { status, severity, requirement, finding, times } = group;
  const { expected, actual } = difference(plain(finding.expected, 900), plain(finding.actual, 900));
  const shown = group.evidence.flatMap((id) => exchanges.get(id) ?? []);
  const unsaid = group.alsoActual.length - otherActuals;
  const others = group.exchanges.filter((id) => !shown.some((exchange) => exchange.id === id) && exchanges.has(id));
  return html`<article class="finding ${status}" id="${link}" ${filtered(group)}>
<h3><span class="sign" aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${fragment('requirement', requirement.id)}">${plain(requirement.id)}</a>
<span class="status">${statusWords[status].word}</span> ${severityMark(severity)}${timesMark(times)}</h3>
<p>${prose(requirement.statement)}</p>
<dl class="difference">
<dt>expected</dt><dd class="expected">${marked(expected)}</dd>
<dt>actual</dt><dd class="actual">${marked(actual)}</dd>
${group.alsoActual.slice(0, otherActuals).map((other) => html`<dt>or</dt><dd class="actual">${plain(other, 300)}</dd>`)}
${unsaid > 0 && html`<dt>or</dt><dd>${counted(unsaid, 'other outcome')} in report.json</dd>`}
<dt>hint</dt><dd class="hint">${prose(finding.hint)}</dd>
${finding.note !== undefined && html`<dt>note</dt><dd>${prose(finding.note)}</dd>`}
${finding.scenarios !== undefined && html`<dt>seen in</dt><dd>${plain(finding.scenarios.join(', '), 2000)}</dd>`}
${finding.reproduce !== undefined && html`<dt>reproduce</dt><dd>${commandView(finding.reproduce)}</dd>`}
<dt>source</dt><dd>${prose(requirement.source)}</dd>
${explainedBy(requirement.id).map((where) => html`<dt>explained</dt><dd>${plain(where)}</dd>`)}
${sameIn(group)}
</dl>
${shown.map((exchange) => exchangeView(exchange, reference.get(exchange.id), open))}
${others.length > 0 && html`<p class="others">Also shown by request ${numbers(others)}.</p>`}
</article>`;
}

function sameIn({ requirements }: FindingGroup): Html | null {
  if (requirements.length < 2) return null;
  const links = requirements.slice(1).map(({ id }, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('requirement', id)}">${plain(id)}</a>`;
  });
  return html`<dt>same in</dt><dd>${links}</dd>`;
}

/** Numbers of requests as links to them: `#1, #2`. */
export function numbers(ids: readonly number[]): Html {
  const all = [...new Set(ids)];
  const links = all.slice(0, numbersNamed).map((id, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('request', id)}">#${id}</a>`;
  });
  const rest = all.length - numbersNamed;
  return html`${links}${rest > 0 && html` and ${rest} more`}`;
}
