import { severities } from '../../fixtures/requirements/model.ts';
import { byTopic } from '../../suites/causes/order.ts';
import { type Comparison, statuses } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import { byStatus } from '../../suites/verdict.ts';
import { type Change, rowsWith, sinceBaseline } from '../compare/model.ts';
import { plain } from '../plain.ts';
import { type Report, testedText } from '../report.ts';
import { statusWords, targetName, tones } from '../status-words.ts';
import { bullets, prose, requirementLinks, severityMark, signOf } from './text.ts';

/** Overview for release managers: result, coverage, target, and conditions. */
export function masthead(report: Report): Html {
  const { result, tone } = report;
  const reasons = [...report.open, ...report.policy].map((reason) => html`<span class="tone">${prose(reason)}</span>`);
  return html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${tones[tone].sign}</span> ${report.headline}</h1>
${shares(report)}
${facts(identityOf(report))}
<p>${report.sentence} ${incompleteness(report)}</p>
${result.baseline !== undefined && baselineView(result.baseline)}
${bullets(reasons)}
${bullets(result.notices.map((notice) => prose(notice)))}
${facts(conditionsOf(report))}
</header>`;
}

/** Shares of requirements by status, as a bar 100 units wide and as text. */
function shares({ figures }: Report): Html {
  const { tested, total } = figures;
  const percent = (part: number, whole: number) => `${Math.floor((100 * part) / Math.max(1, whole))} %`;
  const passed = figures.passed + figures.warned;
  const text =
    `${testedText(figures)} (${percent(tested, total)}), ` + `${passed} of them passed (${percent(passed, tested)})`;
  const counts = byStatus(figures);
  let end = 0;
  // SVG attributes set the widths, because the content security policy forbids style attributes.
  const parts = statuses.map((status) => {
    if (counts[status] === 0 || status === 'not-tested') return null;
    const width = (100 * counts[status]) / total;
    end += width;
    return html`<rect class="${status}" x="${end - width}" width="${width}" height="1"></rect>`;
  });
  return html`<p><svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" role="img"
aria-label="${text}">${parts}</svg> <small>${text}</small></p>`;
}

type Fact = readonly [name: string, value: Html | string];

function facts(all: readonly Fact[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function identityOf({ result, gate }: Report): Fact[] {
  const { label, ...target } = result.target;
  const name = html`<code>${plain(targetName({ target }), 300)}</code>`;
  return [
    [target.kind === 'client' ? 'Client' : 'Deployment', name],
    ...(label === undefined ? [] : [['Label', plain(label, 120)] as const]),
    ['Gate', html`<span class="tone ${result.gate.passed ? 'passed' : 'failed'}">${gate}</span>`],
    ['Started', plain(result.startedAt).replace(/^(\S+)T(\d\d:\d\d).*Z$/, '$1 $2 UTC')],
    ['Kit', plain(result.kit.version)],
    ['Specification', plain(result.document.version)],
  ];
}

/** Conditions of the run: scenarios for a client, or keys and side effects for a deployment. */
function conditionsOf({ result, traffic }: Report): Fact[] {
  const { roles, allow, clock, scenarios } = result.target;
  const ofDeployment: Fact[] = [
    ['Keys', plain(roles.join(', '), 300) || 'none'],
    ['Allowed', allow.join(', ') || 'reading only'],
    ['Clock', clock ? 'can be advanced' : 'cannot be advanced'],
  ];
  return [
    ['Traffic', traffic],
    ['Duration', `${(result.durationMs / 1000).toFixed(1)} s`],
    ...(scenarios === undefined ? ofDeployment : [['Scenarios', plain(scenarios.join(', '), 2000)] as const]),
  ];
}

function baselineView(baseline: Comparison): Html {
  const changed = (change: Change, title: string) => {
    const ids = rowsWith(baseline.rows, change).map(({ id }) => id);
    return (
      ids.length > 0 &&
      html`<details><summary>${title} (${ids.length})</summary><p>${requirementLinks(ids)}</p></details>`
    );
  };
  const regressions = changed('regression', 'Regressions');
  return html`<p class="tone ${regressions ? 'failed' : 'passed'}"><b>${plain(sinceBaseline(baseline))}</b></p>
${bullets(baseline.notes.map((note) => prose(note)))}${regressions}${changed('fixed', 'Fixed')}`;
}

function incompleteness({ figures: { errored, notTested } }: Report): Html {
  const untested = counted(notTested, 'requirement was', 'requirements were');
  return html`${errored > 0 && html`<a href="#errored">${counted(errored, 'requirement')} could not be judged</a>. `}
${notTested > 0 && html`<a href="#gaps">${untested} not tested</a>.`}`;
}

/** Sticky bar: links to sections, and counts that filter findings and requirements. The URL contains the filter. */
export function bar(report: Report): Html {
  const { result, causes, figures } = report;
  const topics = [...new Set(result.requirements.toSorted(byTopic).map(({ topic }) => plain(topic)))];
  const counts = byStatus(figures);
  const chip = (name: string, value: string, words: Html, count: number) =>
    count > 0 &&
    html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"> ${words} <b>${count}</b></label> `;
  return html`<div class="bar">
${sectionLinks(report)}
<form role="search" aria-label="Causes and requirements" data-filter>
<label>Search <kbd>/</kbd> <input name="q" type="search" size="12" autocomplete="off" spellcheck="false"></label>
${
  causes.length > 0 &&
  html`<fieldset><legend>Causes</legend>${severities.map((severity) => {
    const { length } = causes.filter((cause) => cause.severity === severity);
    return chip('severity', severity, severityMark(severity), length);
  })}</fieldset>`
}
<fieldset><legend>Requirements</legend>${statuses.map((status) =>
    chip('status', status, html`${signOf(status)} ${statusWords[status].word}`, counts[status]),
  )}</fieldset>
<label>Topic <select name="topic"><option value="">all</option>${topics.map(
    (topic) => html`<option value="${topic}">${topic}</option>`,
  )}</select></label>
<span><button type="reset">Clear</button> <output></output></span>
</form>
</div>`;
}

function sectionLinks({ result, figures, causes, left }: Report): Html {
  const links: readonly (readonly [id: string, text: string, count: number])[] = [
    ['findings', 'Causes', causes.length],
    ['gaps', 'Not tested', figures.notTested],
    ['requirements', 'Requirements', figures.total],
    ['observations', 'Observations', result.observations.length],
    ['left-behind', 'Left behind', left.length],
    ['requests', 'Requests', result.exchanges.length],
  ];
  const shown = links.filter(([, , count]) => count > 0);
  const items = shown.map(([id, text, count]) => html`<a href="#${id}">${text} <b>${count}</b></a>`);
  return html`<nav aria-label="Sections">${bullets(items)}</nav>`;
}
