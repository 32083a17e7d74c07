import { html } from 'hono/html';
import type { RunResult, Status } from '../../suites/result.ts';
import type { FindingGroup } from '../findings.ts';
import { completing } from '../gaps.ts';
import { plain } from '../plain.ts';
import { counted, incompleteness, statusWords, targetName, verdictSentence } from '../status-words.ts';
import { fragment, type Html, prose } from './text.ts';

/** Findings named at the top of the page, so that the cause is on the first screen. */
const namedAtTop = 4;
const hintsAtTop = 2;

/** Shown even where there are none. */
const alwaysCounted: readonly Status[] = ['passed', 'failed', 'not-tested'];

const verdictSigns = { conformant: '✓', 'non-conformant': '✗', inconclusive: '?' } as const;

/** What a release manager reads: the verdict, whether it is complete, of what, and the weightiest findings. */
export function masthead(result: RunResult, groups: readonly FindingGroup[]): Html {
  return html`<header class="masthead ${result.verdict}">
<h1><span class="sign" aria-hidden="true">${verdictSigns[result.verdict]}</span> ${result.verdict}</h1>
<p class="target"><code>${plain(targetName(result), 200)}</code></p>
<p>${verdictSentence(result)} ${completeness(result)}</p>
${result.reasons.length > 0 && html`<ul class="reasons">${result.reasons.map((reason) => html`<li>${prose(reason)}</li>`)}</ul>`}
${headlines(groups)}
${figures(result)}
${completingList(result)}
${result.notices.length > 0 && html`<ul class="notices">${result.notices.map((notice) => html`<li>${prose(notice)}</li>`)}</ul>`}
<nav aria-label="Sections"><ul>
<li><a href="#findings">Findings (${groups.length})</a></li>
<li><a href="#gaps">Not tested (${result.summary.notTested})</a></li>
<li><a href="#requirements">Requirements (${result.requirements.length})</a></li>
<li><a href="#timeline">Timeline</a></li>
<li><a href="#observations">Observations (${result.observations.length})</a></li>
<li><a href="#left-behind">Left behind</a></li>
<li><a href="#exchanges">Exchanges (${result.exchanges.length})</a></li>
</ul></nav>
</header>`;
}

function completeness(result: RunResult): Html {
  if (result.interrupted) return html`<strong>The run was cut short; this is what is known so far.</strong>`;
  if (result.complete) return html`<strong>Complete:</strong> every requirement that can be checked was tested.`;
  const { summary } = result;
  const where = summary.errored > 0 ? '#errored' : '#gaps';
  return html`<strong>Not complete:</strong> <a href="${where}">${incompleteness(summary)}</a>.`;
}

function completingList(result: RunResult): Html | null {
  const all = completing(result);
  if (all.length === 0) return null;
  return html`<p>What to add so that they are tested:</p><ul class="completing">${all.map((one) => html`<li>${prose(one)}</li>`)}</ul>`;
}

function headlines(groups: readonly FindingGroup[]): Html | null {
  if (groups.length === 0) return null;
  const rest = groups.length - namedAtTop;
  return html`<ul class="headlines">${groups.slice(0, namedAtTop).map((group, index) => headline(group, index))}
${rest > 0 && html`<li><a href="#findings">and ${counted(rest, 'more finding')}</a></li>`}</ul>`;
}

function headline({ status, requirement, finding, times }: FindingGroup, index: number): Html {
  return html`<li class="${status}"><span class="sign" aria-hidden="true">${statusWords[status].sign}</span>
<a href="#${fragment('finding', index + 1)}">${plain(requirement.id)}</a>${times > 1 && html` <span class="times">${times} times</span>`}
<span class="brief">expected ${prose(finding.expected, 160)}</span>
<span class="brief">got ${prose(finding.actual, 160)}</span>
${index < hintsAtTop && html`<span class="brief hint">→ ${prose(finding.hint, 240)}</span>`}</li>`;
}

function figures({ summary, durationMs, target }: RunResult): Html {
  const { requests, imagesConfirmed, contentRequestsCreated } = summary;
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
<div><dt>requests</dt><dd>${requests}</dd></div>
<div><dt>images confirmed</dt><dd>${imagesConfirmed}</dd></div>
<div><dt>content requests</dt><dd>${contentRequestsCreated}</dd></div>
<div><dt>seconds</dt><dd>${(durationMs / 1000).toFixed(1)}</dd></div>
</dl>
<p class="scope">Keys: ${plain(target.roles.join(', ')) || 'none'}. Allowed: ${target.allow.join(', ') || 'reading only'}.
Clock: ${target.clock ? 'can be moved' : 'cannot be moved'}.</p>`;
}
