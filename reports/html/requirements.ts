import { byTopic } from '../../suites/causes/order.ts';
import type { KnownFailureNote, RequirementResult } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { severityWords, statusWords } from '../status-words.ts';
import { numbers } from './causes.ts';
import { explanation, type FindingLinks, findingLinks, fragment, type Html, prose, sourceLinks } from './text.ts';

/** All requirements, by topic. */
export function requirementsSection({ result: { requirements, document }, causes }: Report): Html {
  const links = findingLinks(causes);
  return html`<section id="requirements" aria-labelledby="requirements-title">
<h2 id="requirements-title">Requirements</h2>
<div class="requirement-list">
${requirements.toSorted(byTopic).map((requirement) => requirementView(requirement, links, document.url))}
</div>
</section>`;
}

function requirementView(requirement: RequirementResult, links: FindingLinks, documentUrl: string | undefined): Html {
  const { id, topic, level, severity, since, statement, source, ruling, status, reason, knownFailure } = requirement;
  const explained = explanation(id);
  const words = [statusWords[status].word, level, severityWords[severity]].join(', ');
  return html`<details class="requirement" id="${fragment('requirement', id)}" data-filtered
 data-status="${status}" data-topic="${plain(topic)}" data-severity="${severity}">
<summary><span class="sign ${status}" aria-hidden="true">${statusWords[status].sign}</span>
<span class="id">${plain(id)}</span> <span class="word">${words}</span>
<span class="statement">${prose(statement)}</span></summary>
<div class="requirement-body">
<p>Source: ${sourceLinks(source, documentUrl)}. Tested since version ${plain(since)}.
${explained !== null && html` Explained by ${explained}.`}</p>
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

function evidence({ findings, exchanges = [], witness = [] }: RequirementResult, links: FindingLinks): Html | null {
  const [link] = findings.map((finding) => links.get(finding)).filter((each) => each !== undefined);
  const shownBy = [...exchanges, ...witness, ...findings.flatMap((finding) => finding.exchanges)];
  if (link === undefined && shownBy.length === 0) return null;
  return html`<p>${link !== undefined && html`<a href="#${link}">Cause with its evidence</a>. `}
${shownBy.length > 0 && html`Shown by request ${numbers(shownBy)}.`}</p>`;
}
