import { causesOf } from '../../suites/causes/causes.ts';
import type { RunResult } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { headlineOf } from '../figures.ts';
import { plain } from '../plain.ts';
import { targetName, toneOf } from '../status-words.ts';
import { bar } from './bar.ts';
import { causesSection } from './causes.ts';
import { htmlDocument } from './document.ts';
import { exchangeList } from './exchange.ts';
import { masthead } from './masthead.ts';
import {
  erroredSection,
  gapsSection,
  knownSection,
  leftBehindSection,
  observationsSection,
  outsideReachSection,
} from './notes.ts';
import { requirementsSection } from './requirements.ts';
import { scenariosSection } from './scenarios.ts';
import { findingLinks } from './text.ts';

/** `report.html`: the run as a self-contained page. */
export function reportHtml(result: RunResult): string {
  const causes = causesOf(result);
  // Judged clients have no observations, and the sandbox of each scenario is temporary.
  const isClient = result.target.scenarios !== undefined;
  const links = findingLinks(causes);
  const body = html`<a class="skip" href="#findings">Skip to the causes</a>
${masthead(result, causes, links)}
${bar(result, causes)}
<main class="${toneOf(result)}">
${causesSection(result, causes, links)}
${scenariosSection(result)}
${erroredSection(result)}
${knownSection(result)}
${gapsSection(result)}
${requirementsSection(result, links)}
${
  isClient
    ? null
    : html`${observationsSection(result)}
${leftBehindSection(result)}`
}
${outsideReachSection(result)}
${exchangeList(result.exchanges)}
</main>
<footer>
<p>${plain(result.kit.name)} ${plain(result.kit.version)}, specification ${plain(result.document.version)}
(<span title="SHA-256 of its published description">${plain(result.document.contractSha256).slice(0, 12)}</span>),
run ${plain(result.runId)}, seed ${result.seed}, started ${plain(result.startedAt)}.</p>
</footer>`;
  const title = `${headlineOf(result)}: ${plain(targetName(result), 80)}`;
  return htmlDocument({ title, body });
}
