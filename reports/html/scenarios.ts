import type { RunResult, ScenarioResult } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import { plain } from '../plain.ts';
import type { Html } from './text.ts';

const mostLetters = 200;

/** What a judged client did in each scenario. Null for a deployment. */
export function scenariosSection({ scenarios = [] }: RunResult): Html | null {
  const [first] = scenarios;
  if (first === undefined) return null;
  const rows = scenarios.map((scenario) => row(scenario, first));
  return html`<section id="scenarios" aria-labelledby="scenarios-title">
<h2 id="scenarios-title">Scenarios</h2>
<p>Images and content requests in bold differ from those of the first scenario. Lost responses count.</p>
<div class="scrolls" role="region" aria-label="Table of the scenarios" tabindex="0"><table><thead><tr>
<th scope="col">scenario</th><th scope="col">exit code</th><th scope="col">requests</th><th scope="col">images</th>
<th scope="col">content requests</th><th scope="col">last output</th><th scope="col">broken rules</th>
</tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
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
