import { byTopic } from '../../suites/causes/order.ts';
import type { RequirementResult, RunResult, ScenarioResult } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { severityWords, statusWords, targetName } from '../status-words.ts';
import { bar } from './bar.ts';
import { causesSection, numbers } from './causes.ts';
import { htmlDocument } from './document.ts';
import { exchangeList } from './exchange.ts';
import { masthead } from './masthead.ts';
import {
  erroredSection,
  gapsSection,
  knownNote,
  knownSection,
  leftBehindSection,
  observationsSection,
  outsideReachSection,
} from './notes.ts';
import { explanation, fragment, type Html, prose, section, sourceLinks } from './text.ts';

/** `report.html`: the run as a self-contained page. Sections without content are left out. */
export function reportHtml(report: Report): string {
  const { result, headline, tone } = report;
  const { kit, document, runId, seed, startedAt } = result;
  const body = html`<a class="skip" href="#requirements">Skip to the requirements</a>
${masthead(report)}
${bar(report)}
<main class="${tone}">
${causesSection(report)}
${scenariosSection(result)}
${erroredSection(report)}
${knownSection(report)}
${gapsSection(report)}
${requirementsSection(report)}
${observationsSection(result)}
${leftBehindSection(result)}
${outsideReachSection(result)}
${exchangeList(result.exchanges)}
</main>
<footer>
<p>${plain(kit.name)} ${plain(kit.version)}, specification ${plain(document.version)}
(<span title="SHA-256 of its published description">${plain(document.contractSha256).slice(0, 12)}</span>),
run ${plain(runId)}, seed ${seed}, started ${plain(startedAt)}.</p>
</footer>`;
  return htmlDocument({ title: `${headline}: ${plain(targetName(result), 80)}`, body });
}

/** All requirements, by topic. */
function requirementsSection({ result: { requirements, document }, causeOf }: Report): Html {
  const views = requirements.toSorted(byTopic).map((each) => requirementView(each, causeOf, document.url));
  return section('requirements', 'Requirements', html`<div class="requirement-list">\n${views}\n</div>`);
}

function requirementView(
  requirement: RequirementResult,
  causeOf: Report['causeOf'],
  documentUrl: string | undefined,
): Html {
  const { id, topic, level, severity, since, statement, source, ruling, status, reason, knownFailure } = requirement;
  const explained = explanation(id);
  const stale = knownFailure?.stale;
  const known =
    knownFailure &&
    html`${knownNote(knownFailure)}.
${stale !== undefined && prose(stale)}`;
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
${known !== undefined && html`<p>Known failure: ${known}</p>`}
${evidence(requirement, causeOf)}
</div></details>`;
}

function evidence(
  { findings, exchanges = [], witness = [] }: RequirementResult,
  causeOf: Report['causeOf'],
): Html | null {
  const cause = findings.map((finding) => causeOf.get(finding)).find((each) => each !== undefined);
  const shownBy = [...exchanges, ...witness, ...findings.flatMap((finding) => finding.exchanges)];
  if (cause === undefined && shownBy.length === 0) return null;
  return html`<p>${
    cause !== undefined && html`<a href="#${fragment('cause', cause.anchor)}">Cause with its evidence</a>. `
  }
${shownBy.length > 0 && html`Shown by request ${numbers(shownBy)}.`}</p>`;
}

const mostLetters = 200;

/** What a judged client did in each scenario. Null for a deployment. */
function scenariosSection({ scenarios = [] }: RunResult): Html | null {
  const [first] = scenarios;
  if (first === undefined) return null;
  const rows = scenarios.map((scenario) => row(scenario, first));
  return section(
    'scenarios',
    'Scenarios',
    html`<p>Images and content requests in bold differ from those of the first scenario. Lost responses count.</p>
<div class="scrolls" role="region" aria-label="Table of the scenarios" tabindex="0"><table><thead><tr>
<th scope="col">scenario</th><th scope="col">exit code</th><th scope="col">requests</th><th scope="col">images</th>
<th scope="col">content requests</th><th scope="col">last output</th><th scope="col">broken rules</th>
</tr></thead><tbody>${rows}</tbody></table></div>`,
  );
}

function row(
  { name, what, exitCode, runs, passed, lastLines, findings, ...counts }: ScenarioResult,
  first: ScenarioResult,
) {
  const count = (id: 'images' | 'contentRequests') =>
    counts[id] === first[id] ? html`${counts[id]}` : html`<b>${counts[id]}</b>`;
  return html`<tr><th scope="row" title="the client ${plain(what)}">${plain(name)}</th>
<td>${exitCode ?? 'stopped'}${runs !== undefined && ` (${passed} of ${runs} runs without a finding)`}</td>
<td>${counts.requests}</td><td>${count('images')}</td><td>${count('contentRequests')}</td>
<td>${lastLines.map((line) => html`<code>${plain(line, mostLetters)}</code><br>`)}</td>
<td>${findings.map((id) => html`${plain(id)}<br>`)}</td></tr>`;
}
