import { type Comparison, type Status, statuses } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { byStatus } from '../../suites/verdict.ts';
import { rowsWith, sinceBaseline } from '../compare/model.ts';
import { gapText } from '../gaps.ts';
import { plain } from '../plain.ts';
import { type Report, testedText } from '../report.ts';
import { targetName, toneSigns } from '../status-words.ts';
import { fragment, type Html, minuteOf, prose, requirementLink, severityMark } from './text.ts';

/** Number of causes at the top, so the most severe are on the first screen. */
const causesAtTop = 5;
const stepsAtTop = 3;

/** Overview for release managers: result, coverage, target, and causes to fix first. */
export function masthead(report: Report): Html {
  const { result, tone } = report;
  return html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${toneSigns[tone]}</span> ${report.headline}</h1>
${shareView(report)}
${facts(identityOf(report))}
${fixFirst(report)}
<p>${report.sentence} ${incompleteness(report)}</p>
${result.baseline !== undefined && baselineView(result.baseline)}
${bullets('reasons', [...report.open, ...report.policy])}
${nextSteps(report)}
${bullets('notices', result.notices)}
${facts(conditionsOf(report))}
</header>`;
}

/** Shares of tested and passed requirements, as a bar and as text. */
function shareView({ figures }: Report): Html {
  const { tested, total } = figures;
  const kept = figures.passed + figures.warned;
  const percent = (part: number, whole: number) => `${Math.floor((100 * part) / Math.max(1, whole))} %`;
  const passed = `${kept} of them passed (${percent(kept, tested)})`;
  const words = `${testedText(figures)} (${percent(tested, total)}), ${passed}`;
  return html`<p class="shares">${shareBar(byStatus(figures), words, 2)} ${words}</p>`;
}

type Fact = readonly [name: string, value: Html | string];

function facts(told: readonly Fact[]): Html {
  const facts = told.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="facts">${facts}</dl>`;
}

/** Identity of the run, and its gate. */
function identityOf({ result, gate }: Report): Fact[] {
  const { label, ...unlabelled } = result.target;
  return [
    [
      result.target.kind === 'client' ? 'Client' : 'Deployment',
      html`<code>${plain(targetName({ target: unlabelled }), 300)}</code>`,
    ],
    ...(label === undefined ? [] : [['Label', plain(label, 120)] as const]),
    ['Gate', html`<span class="gate ${result.gate.passed ? 'passed' : 'failed'}">${gate}</span>`],
    ['Started', minuteOf(result.startedAt)],
    ['Kit', plain(result.kit.version)],
    ['Specification', plain(result.document.version)],
  ];
}

/** Conditions of the run: scenarios for a client, or keys and side effects for a deployment. */
function conditionsOf({ result, traffic }: Report): Fact[] {
  const { roles, allow, clock, scenarios } = result.target;
  return [
    ['Traffic', traffic],
    ['Duration', `${(result.durationMs / 1000).toFixed(1)} s`],
    ...(scenarios === undefined
      ? ([
          ['Keys', plain(roles.join(', '), 300) || 'none'],
          ['Allowed', allow.join(', ') || 'reading only'],
          ['Clock', clock ? 'can be advanced' : 'cannot be advanced'],
        ] as const)
      : ([['Scenarios', plain(scenarios.join(', '), 2000)]] as const)),
  ];
}

/** The most severe causes with their hints. */
function fixFirst({ causes, violations }: Report): Html | null {
  if (violations.length === 0) return null;
  const rest = causes.length - Math.min(violations.length, causesAtTop);
  return html`<section class="fix-first" aria-labelledby="fix-first-title">
<h2 id="fix-first-title">Fix first</h2>
<ol>${violations.slice(0, causesAtTop).map(({ title, requirement, finding, severity, weight, anchor }) => {
    return html`<li><a href="#${fragment('cause', anchor)}">${prose(title)}</a> ${severityMark(severity)} <span
class="weight">${weight}</span>
<span class="statement">${plain(requirement.id)}: ${prose(requirement.statement, 240)}</span>
<span class="hint">${prose(finding.hint, 240)}</span></li>`;
  })}</ol>
${rest > 0 && html`<p><a href="#findings">${counted(rest, 'more cause')}</a></p>`}
</section>`;
}

function baselineView(baseline: Comparison): Html {
  const [regressions, fixes] = [rowsWith(baseline.rows, 'regression'), rowsWith(baseline.rows, 'fixed')];
  const list = (title: string, rows: typeof regressions) => {
    const links = rows.map(({ id }) => html`${requirementLink(id)} `);
    return rows.length > 0 && html`<details><summary>${title} (${rows.length})</summary><p>${links}</p></details>`;
  };
  return html`<p class="baseline ${regressions.length > 0 && 'worse'}"><b>${plain(sinceBaseline(baseline))}</b></p>
${bullets('notes', baseline.notes)}${list('Regressions', regressions)}${list('Fixed', fixes)}`;
}

function bullets(name: string, texts: readonly string[]): Html | null {
  return texts.length === 0
    ? null
    : html`<ul class="${name}">${texts.map((text) => html`<li>${prose(text)}</li>`)}</ul>`;
}

/** Links to errored and untested requirements. */
function incompleteness({ figures: { errored, notTested } }: Report): Html {
  const untested = counted(notTested, 'requirement was', 'requirements were');
  return html`${errored > 0 && html`<a href="#errored">${counted(errored, 'requirement')} could not be judged</a>. `}
${notTested > 0 && html`<a href="#gaps">${untested} not tested</a>.`}`;
}

/** The first additions on the way to a complete run. */
function nextSteps({ gaps }: Report): Html | null {
  const steps = gaps.filter(({ add }) => add.length > 0).slice(0, stepsAtTop);
  if (steps.length === 0) return null;
  return html`<h2>What to add next</h2>
<ol class="steps">${steps.map((gap, index) => {
    const gained = counted(gap.requirements.length, index === 0 ? 'requirement' : 'more requirement');
    return html`<li>${prose(gapText(gap), 400)} makes ${gained} testable</li>`;
  })}</ol>`;
}

/** Order in the bar: the most severe first, untested last. */
const order: readonly Status[] = [...statuses.filter((status) => status !== 'not-tested'), 'not-tested'];

/** Bar of requirements by status, 100 units wide and `height` units high. `label` is the text alternative. */
function shareBar(counts: Readonly<Record<Status, number>>, label: string, height: number): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let from = 0;
  // SVG attributes set the widths, because the content security policy forbids style attributes.
  const parts = order.map((status) => {
    const share = (100 * counts[status]) / Math.max(1, all);
    from += share;
    return (
      share > 0 && html`<rect class="${status}" x="${from - share}" y="0" width="${share}" height="${height}"></rect>`
    );
  });
  return html`<svg class="share" viewBox="0 0 100 ${height}" preserveAspectRatio="none" role="img"
aria-label="${label}">${parts}</svg>`;
}
