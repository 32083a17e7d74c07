import { html } from 'hono/html';
import type { KnownFailureNote, RequirementResult, RunResult } from '../../suites/result.ts';
import { explainedBy } from '../catalogue-place.ts';
import { byTopic, causeOf } from '../findings.ts';
import { plain } from '../plain.ts';
import { severityWords, statusWords } from '../status-words.ts';
import { numbers } from './findings.ts';
import { type FindingLinks, fragment, type Html, prose } from './text.ts';

/** Every requirement, by topic. */
export function requirementsSection({ requirements }: RunResult, links: FindingLinks): Html {
  return html`<section id="requirements" aria-labelledby="requirements-title">
<h2 id="requirements-title">Requirements</h2>
<div class="requirement-list">
${requirements.toSorted(byTopic).map((requirement) => requirementView(requirement, links))}
</div>
</section>`;
}

function requirementView(requirement: RequirementResult, links: FindingLinks): Html {
  const { id, topic, level, severity, since, statement, source, ruling, status, reason, knownFailure } = requirement;
  const words = [statusWords[status].word, level, severityWords[severity]].join(', ');
  return html`<details class="requirement" id="${fragment('requirement', id)}" data-filtered
 data-status="${status}" data-topic="${plain(topic)}" data-severity="${severity}">
<summary><span class="sign ${status}" aria-hidden="true">${statusWords[status].sign}</span>
<span class="id">${plain(id)}</span> <span class="word">${words}</span>
<span class="statement">${prose(statement)}</span></summary>
<div class="requirement-body">
<p>Source: ${prose(source)}. Tested since version ${plain(since)}.
${explainedBy(id).map((place) => html` Explained by <code>${place}</code>.`)}</p>
${ruling !== undefined && html`<p>Ruling: ${prose(ruling)}</p>`}
${reason !== undefined && html`<p>${prose(reason)}</p>`}
${knownFailure !== undefined && knownFailureView(knownFailure)}
${evidence(requirement, links)}
</div></details>`;
}

function knownFailureView({ reason, issue, owner, expires, stale }: KnownFailureNote): Html {
  return html`<p>Known failure: ${prose(reason)}, ${plain(issue)}, ${plain(owner)}, until ${plain(expires)}.
${stale !== undefined && prose(stale)}</p>`;
}

function evidence({ findings, exchanges = [] }: RequirementResult, links: FindingLinks): Html | null {
  const [link] = findings.map((finding) => links.get(causeOf(finding))).filter((each) => each !== undefined);
  const shownBy = [...exchanges, ...findings.flatMap((finding) => finding.exchanges)];
  if (link === undefined && shownBy.length === 0) return null;
  return html`<p>${link !== undefined && html`<a href="#${link}">Finding with its evidence</a>. `}
${shownBy.length > 0 && html`Shown by request ${numbers(shownBy)}.`}</p>`;
}
