import { html } from 'hono/html';
import type { HeaderList, ReportedExchange } from '../../suites/result.ts';
import { headerOf, shownBody } from '../body.ts';
import { plain } from '../plain.ts';
import { counted } from '../status-words.ts';
import type { ReferenceAnswer } from './reference.ts';
import { fragment, type Html } from './text.ts';

const bodyShown = 4000;
const headersShown = 60;

/** A longer curl line is in report.json only. */
const longestCurl = 30_000;

/** Lines and characters that are shown without scrolling. */
const shortLines = 16;
const shortText = 900;

/** Headers in which an answer and the reference's may differ without meaning anything. */
const incidental = /^(date|connection|keep-alive|content-length|transfer-encoding|server|age|etag|x-request-id)$/i;

/** All exchanges that something refers to, closed. */
export function exchangeList(exchanges: readonly ReportedExchange[]): Html {
  return html`<section id="requests" aria-labelledby="requests-title">
<h2 id="requests-title">Requests</h2>
<p>${counted(exchanges.length, 'request')} of this run to which this page refers, with the responses.</p>
<div class="exchange-list">${exchanges.map(listed)}</div>
</section>`;
}

/** A page may list thousands: as few elements as will do. */
function listed(exchange: ReportedExchange): Html {
  const { id, request, response, problem, curl } = exchange;
  const asked = message(`${request.method} ${request.url}`, request.headers, request.body);
  const answered =
    response === null
      ? plain(problem ?? 'no complete response')
      : message(response.status, response.headers, response.body);
  return html`<details class="exchange"
id="${fragment('request', id)}"><summary>${caption(exchange)}</summary>${block(asked)}${block(answered)}${
    curl !== '' && curl.length <= longestCurl && block(plain(curl, longestCurl))
  }</details>`;
}

function message(first: string | number, headers: HeaderList, body: string | null): string {
  const lines = headers.slice(0, headersShown).map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return [plain(String(first), 600), ...lines, '', shownBody(body ?? '', bodyShown)].join('\n');
}

/** One exchange in place, with the reference's answer beside the deployment's where there is one. */
export function exchangeView(exchange: ReportedExchange, reference: ReferenceAnswer | undefined, open: boolean): Html {
  return html`<details class="exchange" ${open && html`open`}>
<summary>${caption(exchange)}</summary>${contents(exchange, reference)}</details>`;
}

function caption({ id, tool, request, response, credential, durationMs }: ReportedExchange): Html {
  const what = tool === null ? `${request.method} ${pathOf(request.url)}` : tool;
  return html`<span class="number">#${id}</span> <code>${plain(what, 120)}</code> as ${plain(credential, 80)} →
<b>${response === null ? 'no response' : response.status}</b> <span class="ms">${Math.round(durationMs)} ms</span>`;
}

function contents(exchange: ReportedExchange, reference: ReferenceAnswer | undefined): Html {
  const { request, response, problem, curl } = exchange;
  return html`<div class="exchange-body">
<div class="sides">
<div class="side"><p class="label">Request</p>
<pre>${plain(`${request.method} ${request.url}`, 600)}
${headerLines(request.headers)}</pre>${bodyView(request.body)}</div>
<div class="side"><p class="label">Response after ${Math.round(exchange.durationMs)} ms</p>
${
  response === null
    ? html`<p class="problem">${plain(problem ?? 'no complete response')}</p>`
    : answerView(response, reference)
}
${
  response?.cutAtBytes !== undefined &&
  html`<p class="problem">
Only the first ${response.cutAtBytes} bytes were kept.</p>`
}</div>
${
  reference !== undefined &&
  html`<div class="side reference">
<p class="label">Response of the reference stub</p>${answerView(reference, response ?? undefined)}</div>`
}
</div>
${curlView(curl)}
</div>`;
}

interface Answer {
  status: number;
  headers: HeaderList;
  body: string;
}

/** An answer; where its status or a header is not the other's, that is marked. */
function answerView(answer: Answer, other: Answer | undefined): Html {
  const statusDiffers = other !== undefined && other.status !== answer.status;
  return html`<pre>${statusDiffers ? html`<mark>${answer.status}</mark>` : answer.status}
${headerLines(answer.headers, other?.headers)}</pre>${bodyView(answer.body)}`;
}

function headerLines(headers: HeaderList, others?: HeaderList): Html {
  return html`${headers.slice(0, headersShown).map(([name, value]) => {
    const line = `${plain(name, 100)}: ${plain(value, 300)}`;
    const differs = others !== undefined && !incidental.test(name) && headerOf(others, name.toLowerCase()) !== value;
    return html`${differs ? html`<mark>${line}</mark>` : line}\n`;
  })}${headers.length > headersShown && `… and ${headers.length - headersShown} more`}`;
}

function bodyView(body: string | null): Html {
  if (body === null) return html`<p class="empty">no body</p>`;
  if (body === '') return html`<p class="empty">empty body</p>`;
  return block(shownBody(body, bodyShown));
}

/** A text in its own lines. A long one scrolls, and then the keyboard reaches it. */
function block(text: string): Html {
  const long = text.length > shortText || text.split('\n').length > shortLines;
  return html`<pre ${long && html`class="long" tabindex="0"`}>${text}</pre>`;
}

function curlView(curl: string): Html | null {
  if (curl === '') return null;
  if (curl.length > longestCurl) return html`<p class="empty">The curl line is long; it is in report.json.</p>`;
  return commandView(curl);
}

/** A command line with a button that copies it. */
export function commandView(line: string): Html {
  return html`<div class="command"><button type="button"
data-copy>Copy</button>${block(plain(line, longestCurl))}</div>`;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}
