import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { plain } from '../plain.ts';
import type { Report, ReportCause } from '../report.ts';
import { statusWords } from '../status-words.ts';
import { commandView, exchangeView } from './exchange.ts';
import {
  differenceRows,
  explanation,
  fragment,
  type Html,
  prose,
  requirementLink,
  requirementLinks,
  section,
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

/** The section of causes: a list of all causes next to their evidence. Null if there are none. */
export function causesSection({ result, causes, causesTitle }: Report): Html | null {
  if (causes.length === 0) return null;
  const views = html`<div>${causes.map((cause) => causeView(cause, result))}</div>`;
  const body = html`<div class="findings">\n<ol class="index">${causes.map(line)}</ol>\n${views}\n</div>`;
  return section('findings', causesTitle, body);
}

/** Attributes for the filter of the page. */
function filtered({ status, severity, requirements }: ReportCause): Html {
  const topics = new Set(requirements.map(({ topic }) => plain(topic)));
  return html`data-filtered data-status="${status}" data-severity="${severity}" data-topic="${[...topics].join(' ')}"`;
}

function line(cause: ReportCause): Html {
  const { status, severity, requirement, times, title, anchor } = cause;
  const others = cause.requirements.length - 1;
  const more = others > 0 && ` and ${counted(others, 'other requirement')}`;
  return html`<li class="${status}" ${filtered(cause)}><span class="sign"
aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${fragment('cause', anchor)}">${prose(title, mostCharacters)}</a> ${severityMark(severity)}${timesMark(times)}
<span class="brief">${plain(requirement.id)}${more}</span></li>`;
}

function causeView(cause: ReportCause, { exchanges, document }: Report['result']): Html {
  const { status, severity, requirement, finding, times, title, number, chain, script, anchor } = cause;
  const inChain = new Set(chain.map(({ exchange }) => exchange.id));
  const examples = exchanges.filter(({ id }) => cause.evidence.includes(id) && !inChain.has(id));
  const shown = new Set([...inChain, ...examples.map(({ id }) => id)]);
  const unsaid = cause.alsoActual.length - otherActuals;
  const known = new Set(exchanges.map(({ id }) => id));
  const others = cause.exchanges.filter((id) => !shown.has(id) && known.has(id));
  const open = number <= openAtFirst;
  const also = cause.requirements.slice(1).map(({ id }) => id);
  const explained = explanation(requirement.id);
  return html`<article class="finding ${status}" id="${fragment('cause', anchor)}" ${filtered(cause)}>
<h3><span class="sign" aria-hidden="true">${statusWords[status].sign}</span>
${prose(title)}
<span class="status">${statusWords[status].word}</span> ${severityMark(severity)}${timesMark(times)}
${cause.isUnverified && unverifiedMark}</h3>
<p>${requirementLink(requirement.id)}:
${prose(requirement.statement)}</p>
<dl class="difference">
${differenceRows(finding)}
${cause.alsoActual.slice(0, otherActuals).map((other) => html`<dt>or</dt><dd class="actual">${plain(other, 300)}</dd>`)}
${unsaid > 0 && html`<dt>or</dt><dd>${counted(unsaid, 'other outcome')} in report.json</dd>`}
<dt>hint</dt><dd class="hint">${prose(finding.hint)}</dd>
${cause.remarks.map((remark) => html`<dt>note</dt><dd>${prose(remark)}</dd>`)}
${finding.scenarios !== undefined && html`<dt>seen in</dt><dd>${plain(finding.scenarios.join(', '), 2000)}</dd>`}
${finding.reproduce !== undefined && html`<dt>reproduce</dt><dd>${commandView(finding.reproduce)}</dd>`}
<dt>source</dt><dd>${sourceLinks(requirement.source, document.url)}</dd>
${explained !== null && html`<dt>explained</dt><dd>${explained}</dd>`}
${script !== undefined && html`<dt>script</dt><dd><a href="${script}">${script}</a></dd>`}
${also.length > 0 && html`<dt>explains</dt><dd>${requirementLinks(also)}</dd>`}
</dl>
${chainView(cause, open)}
${examples.map((exchange) => exchangeView(exchange, { open }))}
${others.length > 0 && html`<p class="others">Also shown by request ${numbers(others)}.</p>`}
</article>`;
}

/** The evidence, step by step. Only exchanges that show the violation are expanded. */
function chainView({ chain, compared }: ReportCause, open: boolean): Html | null {
  if (chain.length === 0) return null;
  const views = chain.map(({ exchange, part, what }) => {
    const isCompared = compared?.some((answer) => answer === exchange.response);
    const comparedWith = isCompared ? compared?.find((answer) => answer !== exchange.response) : undefined;
    const view = { comparedWith, open: open && part === 'shows' };
    return html`<li class="${part}">${what !== '' && html`<p class="step">${plain(what)}</p>`}
${exchangeView(exchange, view)}</li>`;
  });
  return html`<ol class="chain" aria-label="Steps">${views}</ol>`;
}

const unverifiedMark = html` <span class="times unverified">unverified</span>`;

/** Links to requests: `#1, #2`. */
export function numbers(ids: readonly number[]): Html {
  const all = [...new Set(ids)];
  const links = all.slice(0, numbersNamed).map((id, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('request', id)}">#${id}</a>`;
  });
  const rest = all.length - numbersNamed;
  return html`${links}${rest > 0 && html` and ${rest} more`}`;
}
