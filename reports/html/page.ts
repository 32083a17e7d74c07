import { html } from 'hono/html';
import type { RunResult } from '../../suites/result.ts';
import { headlineOf } from '../figures.ts';
import { groupFindings } from '../findings.ts';
import { plain } from '../plain.ts';
import { targetName, toneOf } from '../status-words.ts';
import { bar } from './bar.ts';
import { htmlDocument } from './document.ts';
import { exchangeList } from './exchange.ts';
import { findingsSection } from './findings.ts';
import { masthead } from './masthead.ts';
import { matrix } from './matrix.ts';
import {
  erroredSection,
  gapsSection,
  knownSection,
  leftBehindSection,
  observationsSection,
  outsideReachSection,
} from './notes.ts';
import type { ReferenceAnswers } from './reference.ts';
import { requirementsSection } from './requirements.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';
import { findingLinks } from './text.ts';
import { timelineSection } from './timeline.ts';

/**
 * `report.html`: the run on one page that opens from disk. Answers of the reference stand beside those they answer to.
 */
export function reportHtml(result: RunResult, reference: ReferenceAnswers): string {
  const groups = groupFindings(result);
  // A client observes nothing, and what it made is gone with its scenario.
  const isClient = result.target.scenarios !== undefined;
  const links = findingLinks(groups);
  const body = html`<a class="skip" href="#findings">Skip to the findings</a>
${masthead(result, groups, links)}
${bar(result, groups)}
<main class="${toneOf(result)}">
${matrix(result)}
${findingsSection(result, groups, links, reference)}
${erroredSection(result)}
${knownSection(result)}
${gapsSection(result)}
${requirementsSection(result, links)}
${timelineSection(result)}
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
  return htmlDocument({ title, body, style: pageStyle, script: pageScript });
}
