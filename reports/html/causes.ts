import type { Cause } from '../../suites/causes/causes.ts';
import type { ReportedExchange, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { isUnverified, remarksOf } from '../causes.ts';
import { chainOf, type Link } from '../chain.ts';
import { difference } from '../difference.ts';
import { causesTitle } from '../figures.ts';
import { plain } from '../plain.ts';
import { scriptPath } from '../script.ts';
import { statusWords } from '../status-words.ts';
import { commandView, exchangeView } from './exchange.ts';
import {
  explanation,
  type FindingLinks,
  fragment,
  type Html,
  marked,
  prose,
  severityMark,
  sourceLinks,
  timesMark,
} from './text.ts';

/** Number of causes whose exchanges are initially expanded. */
const openAtFirst = 5;

/** Maximum length of the actual value in a heading, in characters. */
const mostCharacters = 200;

/** Maximum number of other actual values to list. */
const otherActuals = 20;

/** Maximum number of exchange links for a cause. The rest is only counted. */
const numbersNamed = 40;

/** The section of causes: a list of all causes next to their evidence. */
export function causesSection(result: RunResult, causes: readonly Cause[], links: FindingLinks): Html {
  const { exchanges, document } = result;
  const parts = { result, exchanges, documentUrl: document.url };
  const linkOf = ({ finding }: Cause) => links.get(finding) ?? '';
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">${causesTitle(result)}</h2>
${causes.length === 0 && html`<p>The run found no violation.</p>`}
${
  causes.length > 0 &&
  html`<div class="findings">
<ol class="index">${causes.map((cause) => line(cause, linkOf(cause)))}</ol>
<div>${causes.map((cause, index) => causeView({ ...parts, cause, index, link: linkOf(cause) }))}</div>
</div>`
}
</section>`;
}

/** Attributes for the filter of the page. */
function filtered({ status, severity, requirements }: Cause): Html {
  const topics = new Set(requirements.map(({ topic }) => plain(topic)));
  return html`data-filtered data-status="${status}" data-severity="${severity}" data-topic="${[...topics].join(' ')}"`;
}

function line(cause: Cause, link: string): Html {
  const { status, severity, requirement, times, title } = cause;
  const others = cause.requirements.length - 1;
  const more = others > 0 && ` and ${counted(others, 'other requirement')}`;
  return html`<li class="${status}" ${filtered(cause)}><span class="sign"
aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${link}">${prose(title, mostCharacters)}</a> ${severityMark(severity)}${timesMark(times)}
<span class="brief">${plain(requirement.id)}${more}</span></li>`;
}

interface CauseParts {
  result: RunResult;
  cause: Cause;
  index: number;
  link: string;
  exchanges: readonly ReportedExchange[];
  documentUrl: string | undefined;
}

function causeView({ result, cause, index, link, exchanges, documentUrl }: CauseParts): Html {
  const { status, severity, requirement, finding, times, title } = cause;
  const { expected, actual } = difference(plain(finding.expected, 900), plain(finding.actual, 900));
  const chain = chainOf(finding, exchanges);
  const inChain = new Set(chain.map(({ exchange }) => exchange.id));
  const examples = exchanges.filter(({ id }) => cause.evidence.includes(id) && !inChain.has(id));
  const shown = new Set([...inChain, ...examples.map(({ id }) => id)]);
  const unsaid = cause.alsoActual.length - otherActuals;
  const known = new Set(exchanges.map(({ id }) => id));
  const others = cause.exchanges.filter((id) => !shown.has(id) && known.has(id));
  const open = index < openAtFirst;
  const explained = explanation(requirement.id);
  const script = scriptPath(result, index);
  return html`<article class="finding ${status}" id="${link}" ${filtered(cause)}>
<h3><span class="sign" aria-hidden="true">${statusWords[status].sign}</span>
${prose(title)}
<span class="status">${statusWords[status].word}</span> ${severityMark(severity)}${timesMark(times)}
${isUnverified(finding) && unverifiedMark}</h3>
<p><a href="#${fragment('requirement', requirement.id)}">${plain(requirement.id)}</a>:
${prose(requirement.statement)}</p>
<dl class="difference">
<dt>expected</dt><dd class="expected">${marked(expected)}</dd>
<dt>actual</dt><dd class="actual">${marked(actual)}</dd>
${cause.alsoActual.slice(0, otherActuals).map((other) => html`<dt>or</dt><dd class="actual">${plain(other, 300)}</dd>`)}
${unsaid > 0 && html`<dt>or</dt><dd>${counted(unsaid, 'other outcome')} in report.json</dd>`}
<dt>hint</dt><dd class="hint">${prose(finding.hint)}</dd>
${remarksOf(finding).map((remark) => html`<dt>note</dt><dd>${prose(remark)}</dd>`)}
${finding.scenarios !== undefined && html`<dt>seen in</dt><dd>${plain(finding.scenarios.join(', '), 2000)}</dd>`}
${finding.reproduce !== undefined && html`<dt>reproduce</dt><dd>${commandView(finding.reproduce)}</dd>`}
<dt>source</dt><dd>${sourceLinks(requirement.source, documentUrl)}</dd>
${explained !== null && html`<dt>explained</dt><dd>${explained}</dd>`}
${script !== undefined && html`<dt>script</dt><dd><a href="${script}">${script}</a></dd>`}
${alsoViolated(cause)}
</dl>
${chainView(chain, open)}
${examples.map((exchange) => exchangeView(exchange, { open }))}
${others.length > 0 && html`<p class="others">Also shown by request ${numbers(others)}.</p>`}
</article>`;
}

/** The evidence, step by step. Only exchanges that show the violation are expanded. */
function chainView(chain: readonly Link[], open: boolean): Html | null {
  if (chain.length === 0) return null;
  const views = chain.map(({ exchange, part, what, comparedWith }) => {
    const view = { comparedWith, open: open && part === 'shows' };
    return html`<li class="${part}">${what !== '' && html`<p class="step">${plain(what)}</p>`}
${exchangeView(exchange, view)}</li>`;
  });
  return html`<ol class="chain" aria-label="Steps">${views}</ol>`;
}

const unverifiedMark = html` <span class="times unverified">unverified</span>`;

function alsoViolated({ requirements }: Cause): Html | null {
  if (requirements.length < 2) return null;
  const links = requirements.slice(1).map(({ id }, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('requirement', id)}">${plain(id)}</a>`;
  });
  return html`<dt>explains</dt><dd>${links}</dd>`;
}

/** Links to requests: `#1, #2`. */
export function numbers(ids: readonly number[]): Html {
  const all = [...new Set(ids)];
  const links = all.slice(0, numbersNamed).map((id, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('request', id)}">#${id}</a>`;
  });
  const rest = all.length - numbersNamed;
  return html`${links}${rest > 0 && html` and ${rest} more`}`;
}
