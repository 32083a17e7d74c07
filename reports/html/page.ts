import { html } from '../../suites/usage/html.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { targetName } from '../status-words.ts';
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
