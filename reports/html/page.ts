import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { byTopic } from '../../suites/causes/order.ts';
import type { RequirementResult, RunResult, ScenarioResult } from '../../suites/result.ts';
import { type Html, html, raw } from '../../suites/usage/html.ts';
import { plain, plainLines } from '../plain.ts';
import type { Report } from '../report.ts';
import { severityWords, statusWords, targetName } from '../status-words.ts';
import { explainCommand } from '../test-cases.ts';
import { causesSection } from './causes.ts';
import { exchangeList } from './exchange.ts';
import { bar, masthead } from './masthead.ts';
import {
  erroredSection,
  gapsSection,
  knownNote,
  knownSection,
  leftBehindSection,
  observationsSection,
  outsideReachSection,
} from './notes.ts';
import { fragment, prose, requestLinks, section, signOf, sourceLinks } from './text.ts';

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = textOf('style.css');
const script = textOf('browser.js');

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Allows only the style and the script of the page, so content of the body cannot run or load anything. */
const policy = [
  "default-src 'none'",
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** `report.html`: the run as a self-contained page. Sections without content are left out. */
export function reportHtml(report: Report): string {
  // Last line of defense: replaces control characters in texts that were not escaped earlier.
  const body = raw(plainLines(String(bodyOf(report)), Number.POSITIVE_INFINITY));
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.headline}: ${plain(targetName(report.result), 80)}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
<script>${raw(script)}</script>
</body>
</html>
`);
}

function bodyOf(report: Report): Html {
  const { result } = report;
  const { kit, document, runId, seed, startedAt } = result;
  return html`<a class="skip" href="#requirements">Skip to the requirements</a>
${masthead(report)}
${bar(report)}
<main>
${causesSection(report)}
${scenariosSection(result)}
${erroredSection(report)}
${knownSection(report)}
${gapsSection(report)}
${requirementsSection(report)}
${observationsSection(result)}
${leftBehindSection(report)}
${outsideReachSection(result)}
${exchangeList(result.exchanges)}
</main>
<footer>${plain(kit.name)} ${plain(kit.version)}, specification ${plain(document.version)}
(<span title="SHA-256 of its published description">${plain(document.contractSha256).slice(0, 12)}</span>),
run ${plain(runId)}, seed ${seed}, started ${plain(startedAt)}.</footer>`;
}

function requirementsSection(report: Report): Html | null {
  const views = report.result.requirements.toSorted(byTopic).map((each) => requirementView(each, report));
  return section('requirements', 'Requirements', html`<div>\n${views}\n</div>`);
}

function requirementView(requirement: RequirementResult, { result, causeOf }: Report): Html {
  const { id, topic, level, severity, since, statement, source, ruling, status, reason, knownFailure } = requirement;
  const explained = explainCommand(id);
  const words = [statusWords[status].word, level, severityWords[severity]].join(', ');
  return html`<details class="requirement" id="${fragment('requirement', id)}" data-filtered
 data-status="${status}" data-topic="${plain(topic)}" data-severity="${severity}">
<summary>${signOf(status)} <code>${plain(id)}</code> <small>${words}</small>
<span class="statement">${prose(statement)}</span></summary>
<div class="requirement-body">
<p>Source: ${sourceLinks(source, result.document.url)}. Tested since version ${plain(since)}.
${explained !== undefined && html` Explained by <code>${explained}</code>.`}</p>
${ruling !== undefined && html`<p>Ruling: ${prose(ruling)}</p>`}
${reason !== undefined && html`<p>${prose(reason)}</p>`}
${
  knownFailure !== undefined &&
  html`<p>Known failure: ${knownNote(knownFailure)}. ${prose(knownFailure.stale ?? '')}</p>`
}
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
${shownBy.length > 0 && html`Shown by request ${requestLinks(shownBy)}.`}</p>`;
}

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
): Html {
  const count = (id: 'images' | 'contentRequests') =>
    counts[id] === first[id] ? html`${counts[id]}` : html`<b>${counts[id]}</b>`;
  return html`<tr><th scope="row" title="the client ${plain(what)}">${plain(name)}</th>
<td>${exitCode ?? 'stopped'}${runs !== undefined && ` (${passed} of ${runs} runs without a finding)`}</td>
<td>${counts.requests}</td><td>${count('images')}</td><td>${count('contentRequests')}</td>
<td>${lastLines.map((line) => html`<code>${plain(line, 200)}</code><br>`)}</td>
<td>${findings.map((id) => html`${plain(id)}<br>`)}</td></tr>`;
}
