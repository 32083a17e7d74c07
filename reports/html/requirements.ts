import { html } from 'hono/html';
import { severities } from '../../fixtures/requirements/model.ts';
import { type KnownFailureNote, type RequirementResult, type RunResult, statuses } from '../../suites/result.ts';
import { byTopic, causeOf, type FindingGroup } from '../findings.ts';
import { plain } from '../plain.ts';
import { severityWords, statusWords } from '../status-words.ts';
import { numbers } from './findings.ts';
import { fragment, type Html, prose } from './text.ts';

/** Every requirement, with a filter that works from the keyboard and is kept in the page's address. */
export function requirementsSection(result: RunResult, groups: readonly FindingGroup[]): Html {
  const sorted = result.requirements.toSorted(byTopic);
  const places = new Map(groups.map(({ cause }, index) => [cause, index + 1]));
  return html`<section id="requirements" aria-labelledby="requirements-title">
<h2 id="requirements-title">Requirements</h2>
${filterForm(sorted)}
<div class="requirement-list">
${sorted.map((requirement) => requirementView(requirement, places))}
</div>
</section>`;
}

function filterForm(requirements: readonly RequirementResult[]): Html {
  const topics = [...new Set(requirements.map(({ topic }) => topic))];
  const having = Map.groupBy(requirements, ({ status }) => status);
  return html`<form class="filter" role="search" aria-label="Requirements" data-filter>
<p><label for="filter-text">Search <kbd>/</kbd></label>
<input id="filter-text" name="q" type="search" autocomplete="off" spellcheck="false"></p>
<fieldset><legend>Status</legend>
${statuses.map((status) => {
  const count = having.get(status)?.length ?? 0;
  return (
    count > 0 &&
    html`<label><input type="checkbox" name="status" value="${status}"> <span class="sign ${status}" aria-hidden="true">${statusWords[status].sign}</span> ${statusWords[status].word} (${count})</label> `
  );
})}</fieldset>
<p><label for="filter-topic">Topic</label>
<select id="filter-topic" name="topic"><option value="">all</option>${topics.map(
    (topic) => html`<option value="${plain(topic)}">${plain(topic)}</option>`,
  )}</select></p>
<p><label for="filter-level">Level</label>
<select id="filter-level" name="level"><option value="">all</option><option>must</option><option>should</option></select></p>
<p><label for="filter-severity">Severity</label>
<select id="filter-severity" name="severity"><option value="">all</option>${severities.map(
    (severity) => html`<option value="${severity}">${severityWords[severity]}</option>`,
  )}</select></p>
<p><button type="reset">Clear</button> <output>${requirements.length} of ${requirements.length}</output></p>
</form>`;
}

/** Numbers of the findings above, by their cause. */
type Places = ReadonlyMap<string, number>;

function requirementView(requirement: RequirementResult, places: Places): Html {
  const { id, topic, level, severity, since, statement, source, status, reason, knownFailure } = requirement;
  const words = [statusWords[status].word, level, severityWords[severity]].join(', ');
  return html`<details class="requirement" id="${fragment('requirement', id)}"
 data-status="${status}" data-topic="${plain(topic)}" data-level="${level}" data-severity="${severity}">
<summary><span class="sign ${status}" aria-hidden="true">${statusWords[status].sign}</span>
<span class="id">${plain(id)}</span> <span class="word">${words}</span>
<span class="statement">${prose(statement)}</span></summary>
<div class="requirement-body">
<p>Source: ${prose(source)}. Tested since version ${plain(since)}.</p>
${reason !== undefined && html`<p>${prose(reason)}</p>`}
${knownFailure !== undefined && knownFailureView(knownFailure)}
${evidence(requirement, places)}
</div></details>`;
}

function knownFailureView({ reason, issue, owner, expires, stale }: KnownFailureNote): Html {
  return html`<p>Known failure: ${prose(reason)}, ${plain(issue)}, ${plain(owner)}, until ${plain(expires)}.
${stale !== undefined && prose(stale)}</p>`;
}

function evidence({ findings, exchanges = [] }: RequirementResult, places: Places): Html | null {
  const [place] = findings.map((finding) => places.get(causeOf(finding))).filter((each) => each !== undefined);
  const shownBy = [...exchanges, ...findings.flatMap((finding) => finding.exchanges)];
  if (place === undefined && shownBy.length === 0) return null;
  return html`<p>${place !== undefined && html`<a href="#${fragment('finding', place)}">Finding ${place}</a>. `}
${shownBy.length > 0 && html`Shown by request ${numbers(shownBy)}.`}</p>`;
}
