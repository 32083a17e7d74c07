import { html } from 'hono/html';
import type { ObservationResult, RunResult } from '../../suites/result.ts';
import { gaps } from '../gaps.ts';
import { plain } from '../plain.ts';
import { counted } from '../status-words.ts';
import { numbers } from './findings.ts';
import { fragment, type Html, prose } from './text.ts';

const valuesShown = 40;

/** What would make the run complete. */
export function gapsSection(result: RunResult): Html {
  const all = gaps(result);
  return html`<section id="gaps" aria-labelledby="gaps-title">
<h2 id="gaps-title">Not exercised, and what would exercise it</h2>
${all.length === 0 && html`<p>Nothing: every requirement that can be checked was exercised.</p>`}
<ul class="gaps">${all.map(
    (gap) => html`<li><p><b>${gap.requirements.length}</b> because ${prose(gap.why)}</p>
${gap.remedy !== null && html`<p class="remedy"><span aria-hidden="true">→</span> ${prose(gap.remedy)}</p>`}
<details><summary>${counted(gap.requirements.length, 'requirement')}</summary><p>${gap.requirements.map(
      (id, index) => html`${index > 0 && ', '}<a href="#${fragment('requirement', id)}">${plain(id)}</a>`,
    )}</p></details></li>`,
  )}</ul>
</section>`;
}

/** What the deployment does where the document is silent. */
export function observationsSection({ observations }: RunResult): Html {
  return html`<section id="observations" aria-labelledby="observations-title">
<h2 id="observations-title">Observations: what the document does not say</h2>
${observations.length === 0 && html`<p>None were made.</p>`}
<dl class="observations">${observations.map(observationView)}</dl>
</section>`;
}

function observationView({ id, question, values, exchanges }: ObservationResult): Html {
  const rest = values.length - valuesShown;
  return html`<div><dt>${prose(question)} <span class="id">${plain(id)}</span></dt>
<dd>${values.length === 0 && 'not seen'}<ul>${values.slice(0, valuesShown).map((value) => html`<li><code>${shown(value)}</code></li>`)}</ul>
${rest > 0 && html`<p>and ${rest} more in report.json</p>`}
${exchanges.length > 0 && html`<p class="others">Exchange ${numbers(exchanges)}</p>`}</dd></div>`;
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

/** What the run left on the deployment. */
export function leftBehindSection({ leftBehind }: RunResult): Html {
  const { contentRequests, runs, proposals } = leftBehind;
  const nothing = contentRequests.length + runs.length + proposals === 0;
  return html`<section id="left-behind" aria-labelledby="left-behind-title">
<h2 id="left-behind-title">Left on the deployment</h2>
${nothing && html`<p>Nothing.</p>`}
<ul>
${contentRequests.map(
  ({ pieceId, workspace, title }) =>
    html`<li>content request <code>${plain(pieceId)}</code> in <code>${plain(workspace)}</code>${title !== null && html`: ${plain(title)}`}</li>`,
)}
${runs.map(
  (run) =>
    html`<li>${counted(run.images, 'image')} of run <code>${plain(run.runId)}</code> in <code>${plain(run.workspace)}</code></li>`,
)}
${proposals > 0 && html`<li>${counted(proposals, 'proposal')}, not confirmed; they expire by themselves</li>`}
</ul>
</section>`;
}

/** What no black box can check. */
export function outsideReachSection({ outsideReach }: RunResult): Html | null {
  if (outsideReach.length === 0) return null;
  return html`<section id="outside-reach" aria-labelledby="outside-reach-title">
<h2 id="outside-reach-title">Not to be checked from outside</h2>
<ul>${outsideReach.map(
    ({ statement, source, reason }) =>
      html`<li>${prose(statement)} <span class="id">${plain(source)}</span> ${prose(reason)}</li>`,
  )}</ul>
</section>`;
}
