import { html } from 'hono/html';
import { byTopic } from '../../suites/causes/order.ts';
import { requirementFigures } from '../../suites/figures.ts';
import { type RequirementResult, type RunResult, statuses } from '../../suites/result.ts';
import { plain } from '../plain.ts';
import { statusWords } from '../status-words.ts';
import { fragment, type Html } from './text.ts';

/** Matrix of all requirements by topic. Each cell shows the status as a sign and as a color. */
export function matrix(result: RunResult): Html {
  const topics = [...Map.groupBy(result.requirements.toSorted(byTopic), ({ topic }) => topic)];
  return html`<section class="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">Coverage by topic</h2>
<div class="topics" data-matrix>
${topics.map(
  ([topic, requirements]) => html`<div class="topic" role="group" aria-label="${plain(topic)}">
<p><a href="#?topic=${encodeURIComponent(plain(topic))}">${plain(topic)}</a> <span
class="scope">${coverage(requirements)}</span></p>
<span class="cells">${requirements.map(cell)}</span></div>`,
)}
</div>
<p class="legend">${statuses.map(
    (status) =>
      html`<span><span class="cell ${status}" aria-hidden="true">${statusWords[status].sign}</span>
${statusWords[status].word}</span> `,
  )}</p>
</section>`;
}

/** `12 tested`, `9 of 12 tested`. */
function coverage(requirements: readonly RequirementResult[]): string {
  const { tested, total } = requirementFigures(requirements);
  return tested === total ? `${tested} tested` : `${tested} of ${total} tested`;
}

function cell({ id, status }: RequirementResult): Html {
  const label = `${plain(id)}: ${statusWords[status].word}`;
  return html`<a class="cell ${status}" href="#${fragment('requirement', id)}" title="${label}"
aria-label="${label}">${statusWords[status].sign}</a>`;
}
