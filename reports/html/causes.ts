import { counted } from '../../suites/usage/counted.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import { difference, differingLines } from '../difference.ts';
import { limited, plain } from '../plain.ts';
import type { Report, ReportCause } from '../report.ts';
import { statusWords } from '../status-words.ts';
import { explainCommand } from '../test-cases.ts';
import { block, bodyShown, commandView, exchangeView } from './exchange.ts';
import {
  fragment,
  marked,
  prose,
  requestLinks,
  requirementLinks,
  section,
  severityMark,
  signOf,
  sourceLinks,
} from './text.ts';

/** Number of causes whose exchanges are initially expanded. */
const openAtFirst = 5;

/** Maximum number of other actual values to list, and of lines of a difference. */
const otherActuals = 20;
const linesShown = 40;

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

function marks({ severity, times, weight, isUnverified }: ReportCause): Html {
  return html`${severityMark(severity)}${times > 1 && html` <small class="times">${times} times</small>`}
${weight !== '' && html`<small>· ${weight}</small>`}
${isUnverified && html`<small class="times tone warned">unverified</small>`}`;
}

function line(cause: ReportCause): Html {
  const { status, requirement, title, anchor } = cause;
  return html`<li ${filtered(cause)}>${signOf(status)}
<a href="#${fragment('cause', anchor)}">${prose(title, 200)}</a> ${marks(cause)}
<div><small>${plain(requirement.id)}</small></div></li>`;
}

function causeView(cause: ReportCause, { exchanges, document }: Report['result']): Html {
  const { status, requirement, finding, title, number, chain, script, anchor, alsoActual } = cause;
  const open = number <= openAtFirst;
  const inChain = new Set(chain.map(({ exchange }) => exchange.id));
  const more = exchanges.filter(({ id }) => cause.exchanges.includes(id) && !inChain.has(id));
  const examples = more.filter(({ id }) => cause.evidence.includes(id));
  const others = more.filter((exchange) => !examples.includes(exchange));
  const { expected, actual } = difference(plain(finding.expected, 900), plain(finding.actual, 900));
  const also = cause.requirements.slice(1).map(({ id }) => id);
  const explained = explainCommand(requirement.id);
  const row = (name: string, value: Html | string | null, kind = '') =>
    value !== null && html`<dt>${name}</dt><dd${kind !== '' && html` class="${kind}"`}>${value}</dd>\n`;
  return html`<article class="finding ${status}" id="${fragment('cause', anchor)}" ${filtered(cause)}>
<h3>${signOf(status)} ${prose(title)} <small class="tone">${statusWords[status].word}</small> ${marks(cause)}</h3>
<p>${requirementLinks([requirement.id])}: ${prose(requirement.statement)}</p>
<dl class="difference">
${row('expected', marked(expected), 'expected')}${row('actual', marked(actual), 'actual')}
${limited(alsoActual, otherActuals, (rest) => `${counted(rest, 'other outcome')} in report.json`).map((other) =>
  row('or', plain(other, 300), 'actual'),
)}
${row('hint', prose(finding.hint))}
${cause.remarks.map((remark) => row('note', prose(remark)))}
${row('seen in', finding.scenarios === undefined ? null : plain(finding.scenarios.join(', '), 2000))}
${row('reproduce', finding.reproduce === undefined ? null : commandView(finding.reproduce))}
${row('source', sourceLinks(requirement.source, document.url))}
${row('explained', explained === undefined ? null : html`<code>${explained}</code>`)}
${row('script', script === undefined ? null : html`<a href="${script}">${script}</a>`)}
${row('explains', also.length === 0 ? null : requirementLinks(also))}
</dl>
${chainView(cause, open)}
${examples.map((exchange) => exchangeView(exchange, { open }))}
${others.length > 0 && html`<p class="others">Also shown by request ${requestLinks(others.map(({ id }) => id))}.</p>`}
</article>`;
}

/** The evidence, step by step. Only exchanges that show the violation are expanded. */
function chainView({ chain, compared }: ReportCause, open: boolean): Html | null {
  if (chain.length === 0) return null;
  const views = chain.map(({ exchange, part, what }) => {
    return html`<li class="${part}">${what !== '' && html`<p class="step">${plain(what)}</p>`}
${exchangeView(exchange, { open: open && part === 'shows' })}</li>`;
  });
  const differing = compared && block(differingLines(compared, bodyShown, linesShown).join('\n'));
  return html`<ol class="chain" aria-label="Steps">${views}</ol>
${differing && html`<p>The responses differ:</p>${differing}`}`;
}
