import type { KnownFailureNote, ObservationResult, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import type { Gap } from '../gaps.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { numbers } from './causes.ts';
import { type Html, prose, requirementLink, requirementLinks, section } from './text.ts';

const valuesShown = 40;

/** Errored requirements by reason. Null if there are none. */
export function erroredSection({ errored }: Report): Html | null {
  if (errored.length === 0) return null;
  const items = errored.map(
    ({ reason, requirements, exchanges }) =>
      html`<li><p><b>${requirements.length}</b> because ${prose(reason)}${
        exchanges.length > 0 && html`; see request ${numbers(exchanges)}`
      }</p>${idList(requirements)}</li>`,
  );
  return section('errored', 'Could not be judged', html`<ul class="gaps">${items}</ul>`);
}

/** An entry of the list of known failures, in one line. */
export function knownNote({ reason, issue, owner, expires }: KnownFailureNote): Html {
  return html`${prose(reason)}, ${plain(issue)}, ${plain(owner)}, until ${plain(expires)}`;
}

/** Failures that the list of known failures accepts. Null if there are none. */
export function knownSection({ knownFailures }: Report): Html | null {
  if (knownFailures.length === 0) return null;
  const items = knownFailures.map(
    ({ id, knownFailure: note }) =>
      html`<li>${requirementLink(id)}${note !== undefined && html`: ${knownNote(note)}`}</li>`,
  );
  return section('known-failures', 'Known failures', html`<ul>${items}</ul>`);
}

/** Untested requirements by what is missing. Null if there are none. */
export function gapsSection({ gaps }: Report): Html | null {
  if (gaps.length === 0) return null;
  const order = gaps.filter(({ add }) => add.length > 0).length > 1 && html`<p>Each entry requires those above it.</p>`;
  return section('gaps', 'Not tested', html`${order}<ol class="gaps">${gaps.map(gapView)}</ol>`);
}

function gapView({ add, reason, requirements }: Gap): Html {
  const count = html`<b>${counted(requirements.length, 'requirement')}</b>`;
  const why = add.length === 0 ? html`<p>${count}: ${prose(reason)}</p>` : html`<p>To test ${count}, add</p>`;
  const additions = add.map(
    ({ text, meaning }) =>
      html`<li>${prose(text)}${meaning !== null && html` <span class="label">${prose(meaning)}</span>`}</li>`,
  );
  return html`<li>${why}${add.length > 0 && html`<ul>${additions}</ul>`}${idList(requirements)}</li>`;
}

function idList(ids: readonly string[]): Html {
  return html`<details><summary>${counted(ids.length, 'requirement')}</summary>
<p>${requirementLinks(ids)}</p></details>`;
}

/** What the deployment does if the specification is silent. Null without observations, as for a judged client. */
export function observationsSection({ observations }: RunResult): Html | null {
  if (observations.length === 0) return null;
  const title = 'Observations: where the specification is silent';
  return section('observations', title, html`<dl class="observations">${observations.map(observationView)}</dl>`);
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

/** Resources that the run left on the deployment. Null if there are none. */
export function leftBehindSection({ leftBehind }: RunResult): Html | null {
  const { contentRequests, runs, proposals } = leftBehind;
  const items = [
    ...contentRequests.map(
      ({ pieceId, workspace, title }) => html`content request <code>${plain(pieceId)}</code> in
<code>${plain(workspace)}</code>${title !== null && html`: ${plain(title)}`}`,
    ),
    ...runs.map(
      ({ images, runId, workspace }) => html`${counted(images, 'image')} of run <code>${plain(runId)}</code> in
<code>${plain(workspace)}</code>`,
    ),
    ...(proposals > 0 ? [html`${counted(proposals, 'proposal')}, not confirmed; they expire`] : []),
  ];
  if (items.length === 0) return null;
  return section(
    'left-behind',
    'Left on the deployment',
    html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`,
  );
}

/** Requirements that black-box tests cannot check. Null if there are none. */
export function outsideReachSection({ outsideReach }: RunResult): Html | null {
  if (outsideReach.length === 0) return null;
  const items = outsideReach.map(
    ({ statement, source, reason }) =>
      html`<li>${prose(statement)} <span class="id">${plain(source)}</span> ${prose(reason)}</li>`,
  );
  return section('outside-reach', 'Cannot be tested over HTTP', html`<ul>${items}</ul>`);
}
