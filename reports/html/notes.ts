import type { KnownFailureNote, ObservationResult, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import type { Gap } from '../gaps.ts';
import { limited, plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { bullets, prose, requestLinks, requirementLinks, section } from './text.ts';

const valuesShown = 40;

/** Errored requirements by reason. Null if there are none. */
export function erroredSection({ errored }: Report): Html | null {
  if (errored.length === 0) return null;
  const items = errored.map(
    ({ reason, requirements, exchanges }) =>
      html`<li><p><b>${requirements.length}</b> because ${prose(reason)}${
        exchanges.length > 0 && html`; see request ${requestLinks(exchanges)}`
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
  const items = knownFailures.map(
    ({ id, knownFailure: note }) => html`${requirementLinks([id])}${note !== undefined && html`: ${knownNote(note)}`}`,
  );
  return section('known-failures', 'Known failures', bullets(items));
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
    ({ text, meaning }) => html`${prose(text)}${meaning !== null && html` <small>${prose(meaning)}</small>`}`,
  );
  return html`<li>${why}${bullets(additions)}${idList(requirements)}</li>`;
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
  const shown = (value: unknown) => plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
  const items = values.map((value) => html`<code>${shown(value)}</code>`);
  return html`<div><dt>${prose(question)} <small>${plain(id)}</small></dt>
<dd>${bullets(limited(items, valuesShown, (rest) => html`${rest} more in report.json`)) ?? 'not seen'}
${exchanges.length > 0 && html`<p class="others">Request ${requestLinks(exchanges)}</p>`}</dd></div>`;
}

/** Resources that the run left on the deployment. Null if there are none. */
export function leftBehindSection({ left }: Report): Html | null {
  return section('left-behind', 'Left on the deployment', bullets(left.map((thing) => prose(thing))));
}

/** Requirements that black-box tests cannot check. Null if there are none. */
export function outsideReachSection({ outsideReach }: RunResult): Html | null {
  const items = outsideReach.map(
    ({ statement, source, reason }) => html`${prose(statement)} <small>${plain(source)}</small> ${prose(reason)}`,
  );
  return section('outside-reach', 'Cannot be tested over HTTP', bullets(items));
}
