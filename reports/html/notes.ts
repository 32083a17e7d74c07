import { byTopic } from '../../suites/causes/order.ts';
import type { ObservationResult, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { erroredGroups } from '../errored.ts';
import { type Addition, gapsOf, type Step } from '../gaps.ts';
import { plain } from '../plain.ts';
import { numbers } from './causes.ts';
import { fragment, type Html, prose } from './text.ts';

const valuesShown = 40;

/** Errored requirements by reason. Null if there are none. */
export function erroredSection(result: RunResult): Html | null {
  const groups = erroredGroups(result);
  if (groups.length === 0) return null;
  return html`<section id="errored" aria-labelledby="errored-title">
<h2 id="errored-title">Could not be judged</h2>
<ul class="gaps">${groups.map(
    ({ reason, requirements, exchanges }) =>
      html`<li><p><b>${requirements.length}</b> because ${prose(reason)}${
        exchanges.length > 0 && html`; see request ${numbers(exchanges)}`
      }</p>${idList(requirements)}</li>`,
  )}</ul>
</section>`;
}

/** Failures that the list of known failures accepts. Null if there are none. */
export function knownSection({ requirements }: RunResult): Html | null {
  const known = requirements.filter(({ status }) => status === 'known-failure').toSorted(byTopic);
  if (known.length === 0) return null;
  return html`<section id="known-failures" aria-labelledby="known-failures-title">
<h2 id="known-failures-title">Known failures</h2>
<ul>${known.map(
    ({ id, knownFailure: note }) =>
      html`<li><a href="#${fragment('requirement', id)}">${plain(id)}</a>${
        note !== undefined &&
        html`: ${prose(note.reason)}, ${plain(note.issue)}, ${plain(note.owner)}, until ${plain(note.expires)}`
      }</li>`,
  )}</ul>
</section>`;
}

/** Untested requirements: first by the steps that make them testable, then by other reasons. */
export function gapsSection(result: RunResult): Html {
  const { steps, others } = gapsOf(result);
  return html`<section id="gaps" aria-labelledby="gaps-title">
<h2 id="gaps-title">Not tested</h2>
${steps.length + others.length === 0 && html`<p>Every requirement was tested.</p>`}
${
  steps.length > 0 &&
  html`<h3>What to add next</h3><p>Each step requires the preceding steps.</p>
<ol class="gaps">${steps.map(stepView)}</ol>`
}
${
  others.length > 0 &&
  html`<h3>Not tested for other reasons</h3>
<ul class="gaps">${others.map(
    ({ reason, requirements }) =>
      html`<li><p><b>${requirements.length}</b> because ${prose(reason)}</p>${idList(requirements)}</li>`,
  )}</ul>`
}
</section>`;
}

function stepView({ add, requirements }: Step): Html {
  return html`<li><p>To make <b>${counted(requirements.length, 'more requirement')}</b> testable, add</p>
<ul>${add.map(additionView)}</ul>${idList(requirements)}</li>`;
}

function additionView({ text, meaning }: Addition): Html {
  return html`<li>${prose(text)}${meaning !== null && html` <span class="label">${prose(meaning)}</span>`}</li>`;
}

function idList(ids: readonly string[]): Html {
  const links = ids.map((id, index) => {
    return html`${index > 0 && ', '}<a href="#${fragment('requirement', id)}">${plain(id)}</a>`;
  });
  return html`<details><summary>${counted(ids.length, 'requirement')}</summary><p>${links}</p></details>`;
}

/** What the deployment does if the specification is silent. */
export function observationsSection({ observations }: RunResult): Html {
  return html`<section id="observations" aria-labelledby="observations-title">
<h2 id="observations-title">Observations: where the specification is silent</h2>
${observations.length === 0 && html`<p>The run made no observations.</p>`}
<dl class="observations">${observations.map(observationView)}</dl>
</section>`;
}

function observationView({ id, question, values, exchanges }: ObservationResult): Html {
  const rest = values.length - valuesShown;
  return html`<div><dt>${prose(question)} <span class="id">${plain(id)}</span></dt>
<dd>${values.length === 0 && 'not seen'}
<ul>${values.slice(0, valuesShown).map((value) => html`<li><code>${shown(value)}</code></li>`)}</ul>
${rest > 0 && html`<p>and ${rest} more in report.json</p>`}
${exchanges.length > 0 && html`<p class="others">Request ${numbers(exchanges)}</p>`}</dd></div>`;
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
}

/** Resources that the run left on the deployment. */
export function leftBehindSection({ leftBehind }: RunResult): Html {
  const { contentRequests, runs, proposals } = leftBehind;
  const nothing = contentRequests.length + runs.length + proposals === 0;
  return html`<section id="left-behind" aria-labelledby="left-behind-title">
<h2 id="left-behind-title">Left on the deployment</h2>
${nothing && html`<p>Nothing.</p>`}
<ul>
${contentRequests.map(
  ({ pieceId, workspace, title }) =>
    html`<li>content request <code>${plain(pieceId)}</code> in
<code>${plain(workspace)}</code>${title !== null && html`: ${plain(title)}`}</li>`,
)}
${runs.map(
  (run) =>
    html`<li>${counted(run.images, 'image')} of run <code>${plain(run.runId)}</code> in
<code>${plain(run.workspace)}</code></li>`,
)}
${proposals > 0 && html`<li>${counted(proposals, 'proposal')}, not confirmed; they expire</li>`}
</ul>
</section>`;
}

/** Requirements that black-box tests cannot check. */
export function outsideReachSection({ outsideReach }: RunResult): Html | null {
  if (outsideReach.length === 0) return null;
  return html`<section id="outside-reach" aria-labelledby="outside-reach-title">
<h2 id="outside-reach-title">Cannot be tested over HTTP</h2>
<ul>${outsideReach.map(
    ({ statement, source, reason }) =>
      html`<li>${prose(statement)} <span class="id">${plain(source)}</span> ${prose(reason)}</li>`,
  )}</ul>
</section>`;
}
