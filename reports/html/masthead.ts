import { html } from 'hono/html';
import type { RunResult, Status } from '../../suites/result.ts';
import { exitCodeOfRun } from '../exit-code.ts';
import type { FindingGroup } from '../findings.ts';
import { gapsOf } from '../gaps.ts';
import { plain } from '../plain.ts';
import {
  counted,
  gateLine,
  headlineOf,
  policyReasons,
  statusWords,
  targetName,
  toneOf,
  toneSigns,
  verdictSentence,
} from '../status-words.ts';
import { fragment, type Html, prose, severityMark, timesMark } from './text.ts';

/** Findings named at the top of the page, so that the cause is on the first screen. */
const namedAtTop = 4;
const hintsAtTop = 2;
const stepsAtTop = 3;

/** Shown even where there are none. */
const alwaysCounted: readonly Status[] = ['passed', 'failed', 'not-tested'];

/** What a release manager reads: what was found, how much was tested, of what, and the most severe findings. */
export function masthead(result: RunResult, groups: readonly FindingGroup[]): Html {
  const tone = toneOf(result);
  return html`<header class="masthead ${tone}">
<h1><span class="sign" aria-hidden="true">${toneSigns[tone]}</span> ${headlineOf(result)}</h1>
<p class="target"><code>${plain(targetName(result), 300)}</code></p>
<p>${verdictSentence(result)} ${incompleteness(result)}</p>
${bullets('reasons', result.reasons)}
${gateView(result)}
${bullets('reasons', policyReasons(result))}
${headlines(groups)}
${figures(result)}
${nextSteps(result)}
${bullets('notices', result.notices)}
<nav aria-label="Sections"><ul>
<li><a href="#findings">Findings (${groups.length})</a></li>
<li><a href="#gaps">Not tested (${result.summary.notTested})</a></li>
<li><a href="#requirements">Requirements (${result.requirements.length})</a></li>
<li><a href="#timeline">Timeline</a></li>
${
  result.target.scenarios === undefined &&
  html`<li><a href="#observations">Observations (${result.observations.length})</a></li>
<li><a href="#left-behind">Left behind</a></li>`
}
<li><a href="#requests">Requests (${result.exchanges.length})</a></li>
</ul></nav>
</header>`;
}

function gateView(result: RunResult): Html {
  const status = result.gate.passed ? 'passed' : 'failed';
  return html`<p class="gate ${status}"><strong>Gate</strong> ${gateLine(result, exitCodeOfRun(result))}</p>`;
}

function bullets(name: string, texts: readonly string[]): Html | null {
  return texts.length === 0
    ? null
    : html`<ul class="${name}">${texts.map((text) => html`<li>${prose(text)}</li>`)}</ul>`;
}

/** Where to look for what was not tested, and for what could not be judged. */
function incompleteness({ summary: { errored, notTested } }: RunResult): Html {
  const untested = counted(notTested, 'requirement was', 'requirements were');
  return html`${errored > 0 && html`<a href="#errored">${counted(errored, 'requirement')} could not be judged</a>. `}
${notTested > 0 && html`<a href="#gaps">${untested} not tested</a>.`}`;
}

/** The first steps towards a complete run. */
function nextSteps(result: RunResult): Html | null {
  const { steps } = gapsOf(result);
  if (steps.length === 0) return null;
  return html`<p>What to add next; each step counts on those before it:</p>
<ol class="steps">${steps.slice(0, stepsAtTop).map(({ add, requirements }) => {
    const added = add.map(({ text }) => text).join(' and ');
    return html`<li>${prose(added, 400)}: ${counted(requirements.length, 'more requirement')} testable</li>`;
  })}</ol>`;
}

function headlines(groups: readonly FindingGroup[]): Html | null {
  if (groups.length === 0) return null;
  const rest = groups.length - namedAtTop;
  return html`<ul class="headlines">${groups.slice(0, namedAtTop).map((group, index) => headline(group, index))}
${rest > 0 && html`<li><a href="#findings">and ${counted(rest, 'more finding')}</a></li>`}</ul>`;
}

function headline({ status, severity, requirement, finding, times }: FindingGroup, index: number): Html {
  return html`<li class="${status}"><span class="sign" aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${fragment('finding', index + 1)}">${plain(requirement.id)}</a> ${severityMark(severity)}${timesMark(times)}
<span class="brief">expected ${prose(finding.expected, 160)}</span>
<span class="brief">got ${prose(finding.actual, 160)}</span>
${index < hintsAtTop && html`<span class="brief hint">→ ${prose(finding.hint, 240)}</span>`}</li>`;
}

function figures({ summary, durationMs, target }: RunResult): Html {
  const statuses = [
    ['passed', summary.passed],
    ['failed', summary.failed],
    ['errored', summary.errored],
    ['warned', summary.warned],
    ['known-failure', summary.knownFailures],
    ['not-tested', summary.notTested],
  ] as const;
  return html`<dl class="figures">
${statuses
  .filter(([status, count]) => count > 0 || alwaysCounted.includes(status))
  .map(
    ([status, count]) => html`<div class="${count > 0 ? status : 'none'}">
<dt><span class="sign" aria-hidden="true">${statusWords[status].sign}</span> ${statusWords[status].word}</dt><dd>${count}</dd></div>`,
  )}
${sent(summary, target).map(([what, count]) => html`<div><dt>${what}</dt><dd>${count}</dd></div>`)}
<div><dt>seconds</dt><dd>${(durationMs / 1000).toFixed(1)}</dd></div>
</dl>
<p class="scope">${scopeOf(target)}</p>`;
}

/** What was sent and spent, counted. */
function sent(summary: RunResult['summary'], { scenarios }: RunResult['target']): (readonly [string, number])[] {
  const { requests, imagesRequested, imagesConfirmed, imagesWorstCase, contentRequestsCreated } = summary;
  const made = ['content requests', contentRequestsCreated] as const;
  if (scenarios !== undefined) {
    return [['scenarios', scenarios.length], ['requests', requests], ['images dispatched', imagesConfirmed], made];
  }
  return [
    ['requests', requests],
    ['images requested', imagesRequested],
    ['images confirmed', imagesConfirmed],
    ['images at worst', imagesWorstCase],
    made,
  ];
}

/** With what a deployment was tested, or a client. */
function scopeOf({ roles, allow, clock, scenarios }: RunResult['target']): string {
  if (scenarios !== undefined) return `Scenarios: ${plain(scenarios.join(', '), 2000)}.`;
  const keys = plain(roles.join(', ')) || 'none';
  const allowed = allow.join(', ') || 'reading only';
  return `Keys: ${keys}. Allowed: ${allowed}. Clock: ${clock ? 'can be moved' : 'cannot be moved'}.`;
}
