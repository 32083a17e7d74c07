import { html } from 'hono/html';
import { isRole } from '../../fixtures/roles.ts';
import type { RunResult, TimelineEntry } from '../../suites/result.ts';
import { noCredential } from '../../suites/session/credentials.ts';
import { plain } from '../plain.ts';
import type { Html } from './text.ts';
import { type Pause, type Span, type TimeScale, timeScale } from './time-scale.ts';
import { waitsOf } from './waits.ts';

const width = 1000;
const labelWidth = 190;
const laneHeight = 20;
const narrowest = 1.5;

/** Maximum length of a label, in characters. */
const labelLength = 22;

/** Width of a pause label. A pause has a label only if it does not overlap the previous label. */
const pauseLabelWidth = 44;

interface Lane {
  credential: string;
  entries: TimelineEntry[];
  waits: Span[];
}

/** Requests of each key over time, with 429 responses and waits, as a chart and as a table. */
export function timelineSection({ timeline }: RunResult): Html {
  // A spread would overflow the stack: merged reports have up to hundreds of thousands of entries.
  const endMs = timeline.reduce((end, { atMs, durationMs }) => Math.max(end, atMs + durationMs), 0);
  const lanes = [...Map.groupBy(timeline, laneOf)].map(([credential, entries]) => {
    return { credential, entries, waits: waitsOf(entries, endMs) };
  });
  return html`<section id="timeline" aria-labelledby="timeline-title">
<h2 id="timeline-title">Timeline by key</h2>
${
  lanes.length === 0
    ? html`<p>Nothing was sent.</p>`
    : html`<div class="scrolls" role="region" aria-label="Picture of the timeline" tabindex="0">${picture(lanes)}</div>
<p class="legend"><span><span class="key s2">▮</span> 2xx</span> <span><span class="key s4">▮</span> 4xx</span>
<span><span class="key s429">▼</span> 429</span> <span><span class="key s5">✕</span> 5xx or no response</span>
<span><span class="key waited">▨</span> waited after a 429</span> <span><span class="key pause">┆</span> a pause, shown
shorter</span></p>
<div class="scrolls" role="region" aria-label="Table of the timeline" tabindex="0">${laneTable(lanes)}</div>`
}
</section>`;
}

/** Each role has a separate lane. Altered and unknown keys share a lane. */
function laneOf({ credential }: TimelineEntry): string {
  return isRole(credential) || credential === noCredential.label ? credential : 'other credentials';
}

function picture(lanes: readonly Lane[]): Html {
  const spans = lanes.flatMap(({ entries }) => entries);
  const scale = timeScale(spans, labelWidth, width - labelWidth - 10);
  const height = lanes.length * laneHeight + 20;
  const pauses = withLabels(scale.pauses);
  return html`<svg class="timeline" viewBox="0 0 ${width} ${height}" role="img" aria-label="Exchanges of ${lanes.length}
credentials over time; the table below says the same.">
${pauses.map(
  ({ x, width: wide, ms, label }) => html`<g class="pause"><rect x="${rounded(x)}" y="0" width="${rounded(wide)}"
height="${height - 16}"><title>${secondsOf(ms)}</title></rect>
${
  label !== null && html`<text x="${rounded(label)}" y="${height - 4}" text-anchor="middle">${secondsOf(ms)}</text>`
}</g>`,
)}
${lanes.map((lane, index) => laneView(lane, index * laneHeight, scale))}
</svg>`;
}

function withLabels(pauses: readonly Pause[]): (Pause & { label: number | null })[] {
  let free = labelWidth;
  return pauses.map((pause) => {
    const middle = pause.x + pause.width / 2;
    const fits = middle - pauseLabelWidth / 2 >= free && middle + pauseLabelWidth / 2 <= width;
    if (fits) free = middle + pauseLabelWidth / 2;
    return { ...pause, label: fits ? middle : null };
  });
}

function laneView({ credential, entries, waits }: Lane, y: number, scale: TimeScale): Html {
  return html`<g><text x="0" y="${y + 14}">${plain(credential, labelLength)}</text>
<line x1="${labelWidth}" x2="${width}" y1="${y + laneHeight - 2}" y2="${y + laneHeight - 2}"/>
${waits.map(({ atMs, durationMs }) => {
  const x = scale.x(atMs);
  return html`<rect class="waited" x="${rounded(x)}" y="${y + 7}" width="${rounded(scale.x(atMs + durationMs) - x)}"
height="6"/>`;
})}
${marksOf(entries, scale).map((entry) => entryView(entry, y, scale))}</g>`;
}

/** An entry, and the number of further entries that its mark hides. */
interface Mark extends TimelineEntry {
  hidden: number;
}

/** The longest entry of each kind and position, because shorter ones would be hidden under its mark. */
function marksOf(entries: readonly TimelineEntry[], scale: TimeScale): Mark[] {
  const byPlace = Map.groupBy(entries, ({ status, atMs }) => `${kindOf(status)} ${Math.round(scale.x(atMs) * 2)}`);
  return [...byPlace.values()].map((together) => {
    const longest = together.reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
    return { ...longest, hidden: together.length - 1 };
  });
}

function entryView(entry: Mark, y: number, scale: TimeScale): Html {
  const x = scale.x(entry.atMs);
  const wide = Math.max(narrowest, scale.x(entry.atMs + entry.durationMs) - x);
  const title = entry.hidden === 0 ? titleOf(entry) : `${titleOf(entry)}; and ${entry.hidden} more`;
  return mark(kindOf(entry.status), x, y, wide, title);
}

function mark(kind: string, x: number, y: number, wide: number, title: string): Html {
  if (kind === 's429') {
    return html`<path class="s429" d="M${rounded(x - 4)} ${y + 3}h8l-4 12z"><title>${title}</title></path>`;
  }
  if (kind === 's5') {
    return html`<path class="s5" d="M${rounded(x - 4)} ${y + 4}l8 10m0-10l-8 10"><title>${title}</title></path>`;
  }
  return html`<rect class="${kind}" x="${rounded(x)}" y="${y + 4}" width="${rounded(wide)}"
height="12"><title>${title}</title></rect>`;
}

function kindOf(status: number | null): string {
  if (status === 429) return 's429';
  if (status === null || status >= 500) return 's5';
  return status >= 400 ? 's4' : 's2';
}

function titleOf({ credential, tool, status, atMs, durationMs, waitedMs }: TimelineEntry): string {
  const waited = waitedMs === undefined ? '' : `, told to wait ${secondsOf(waitedMs)}`;
  const asked = `${plain(tool ?? 'another path', 60)} as ${plain(credential, 60)}`;
  return `${asked}: ${status ?? 'no response'} after ${Math.round(durationMs)} ms, at
${secondsOf(atMs)}${waited}`;
}

function laneTable(lanes: readonly Lane[]): Html {
  return html`<table><thead><tr><th scope="col">key</th><th scope="col">requests</th><th scope="col">429</th>
<th scope="col">5xx or none</th><th scope="col">waited</th><th scope="col">median</th><th
scope="col">slowest</th></tr></thead>
<tbody>${lanes.map(({ credential, entries, waits }) => {
    const durations = entries.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    const waitedMs = waits.reduce((sum, wait) => sum + wait.durationMs, 0);
    const having = (kind: string) => entries.filter(({ status }) => kindOf(status) === kind).length;
    return html`<tr><th
scope="row">${plain(credential, 80)}</th><td>${entries.length}</td><td>${having('s429')}</td><td>${having('s5')}</td>
<td>${waitedMs === 0 ? '–' : secondsOf(waitedMs)}</td><td>${milliseconds(durations[durations.length >> 1])}</td>
<td>${milliseconds(durations.at(-1))}</td></tr>`;
  })}</tbody></table>`;
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${Math.round(ms)} ms`;
}

function secondsOf(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms / 1000)} s`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
