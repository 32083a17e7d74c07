import type { Cause } from '../../suites/causes/causes.ts';
import { byStatus } from '../../suites/figures.ts';
import type { Comparison, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { openReasonsOf, violationsOf, weightOf } from '../causes.ts';
import { rowsWith, sinceBaseline } from '../compare/model.ts';
import { exitCodeOfRun } from '../exit-code.ts';
import { figuresOf, headlineOf, testedOf } from '../figures.ts';
import { gapsOf } from '../gaps.ts';
import { plain } from '../plain.ts';
import {
  gateLine,
  imagesText,
  policyReasons,
  requestsText,
  targetName,
  toneOf,
  toneSigns,
  verdictSentence,
} from '../status-words.ts';
import { shareBar } from './share.ts';
import { type FindingLinks, fragment, type Html, minuteOf, prose, severityMark } from './text.ts';

/** Number of causes at the top, so the most severe are on the first screen. */
const causesAtTop = 5;
const stepsAtTop = 3;

/** Overview for release managers: result, coverage, target, and causes to fix first. */
export function masthead(result: RunResult, causes: readonly Cause[], links: FindingLinks): Html {
  const tone = toneOf(result);
  return html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${toneSigns[tone]}</span> ${headlineOf(result)}</h1>
${shareView(result)}
${facts(identityOf(result))}
${fixFirst(causes, links)}
<p>${verdictSentence(result)} ${incompleteness(result)}</p>
${result.baseline !== undefined && baselineView(result.baseline)}
${bullets('reasons', [...openReasonsOf(result), ...policyReasons(result)])}
${nextSteps(result)}
${bullets('notices', result.notices)}
${facts(conditionsOf(result))}
</header>`;
}

/** Shares of tested and passed requirements, as a bar and as text. */
function shareView(result: RunResult): Html {
  const figures = figuresOf(result).requirements;
  const { tested, total } = figures;
  const kept = figures.passed + figures.warned;
  const percent = (part: number, whole: number) => `${Math.floor((100 * part) / Math.max(1, whole))} %`;
  const passed = `${kept} of them passed (${percent(kept, tested)})`;
  const words = `${testedOf(result)} (${percent(tested, total)}), ${passed}`;
  return html`<p class="shares">${shareBar(byStatus(figures), words, 2)} ${words}</p>`;
}

type Fact = readonly [name: string, value: Html | string];

function facts(told: readonly Fact[]): Html {
  const facts = told.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="facts">${facts}</dl>`;
}

/** Identity of the run, and its gate. */
function identityOf(result: RunResult): Fact[] {
  const { label, ...unlabelled } = result.target;
  const gate = result.gate.passed ? 'passed' : 'failed';
  return [
    [
      result.target.kind === 'client' ? 'Client' : 'Deployment',
      html`<code>${plain(targetName({ target: unlabelled }), 300)}</code>`,
    ],
    ...(label === undefined ? [] : [['Label', plain(label, 120)] as const]),
    ['Gate', html`<span class="gate ${gate}">${gateLine(result, exitCodeOfRun(result))}</span>`],
    ['Started', minuteOf(result.startedAt)],
    ['Kit', plain(result.kit.version)],
    ['Specification', plain(result.document.version)],
  ];
}

/** Conditions of the run: scenarios for a client, or keys and side effects for a deployment. */
function conditionsOf(result: RunResult): Fact[] {
  const { roles, allow, clock, scenarios } = result.target;
  return [
    ['Traffic', [requestsText(result), imagesText(result)].filter((text) => text !== '').join(', ')],
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
function fixFirst(all: readonly Cause[], links: FindingLinks): Html | null {
  const causes = violationsOf(all);
  if (causes.length === 0) return null;
  const rest = all.length - Math.min(causes.length, causesAtTop);
  return html`<section class="fix-first" aria-labelledby="fix-first-title">
<h2 id="fix-first-title">Fix first</h2>
<ol>${causes.slice(0, causesAtTop).map((cause) => {
    const { title, requirement, finding, severity } = cause;
    return html`<li><a href="#${links.get(finding)}">${prose(title)}</a> ${severityMark(severity)} <span
class="weight">${weightOf(cause)}</span>
<span class="statement">${plain(requirement.id)}: ${prose(requirement.statement, 240)}</span>
<span class="hint">${prose(finding.hint, 240)}</span></li>`;
  })}</ol>
${rest > 0 && html`<p><a href="#findings">${counted(rest, 'more cause')}</a></p>`}
</section>`;
}

function baselineView(baseline: Comparison): Html {
  const [regressions, fixes] = [rowsWith(baseline.rows, 'regression'), rowsWith(baseline.rows, 'fixed')];
  const list = (title: string, rows: typeof regressions) => {
    const links = rows.map(({ id }) => html`<a href="#${fragment('requirement', id)}">${plain(id)}</a> `);
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
function incompleteness(result: RunResult): Html {
  const { errored, notTested } = figuresOf(result).requirements;
  const untested = counted(notTested, 'requirement was', 'requirements were');
  return html`${errored > 0 && html`<a href="#errored">${counted(errored, 'requirement')} could not be judged</a>. `}
${notTested > 0 && html`<a href="#gaps">${untested} not tested</a>.`}`;
}

/** First steps towards a complete run. */
function nextSteps(result: RunResult): Html | null {
  const { steps } = gapsOf(result);
  if (steps.length === 0) return null;
  return html`<h2>What to add next</h2>
<ol class="steps">${steps.slice(0, stepsAtTop).map(({ add, requirements }, index) => {
    const added = add.map(({ text }) => text).join(' and ');
    const gained = counted(requirements.length, index === 0 ? 'requirement' : 'more requirement');
    return html`<li>${prose(added, 400)} makes ${gained} testable</li>`;
  })}</ol>`;
}
