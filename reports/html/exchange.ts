import type { Headers } from '../../suites/exchange/exchange.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { html } from '../../suites/usage/html.ts';
import { headerOf, shownBody } from '../body.ts';
import { type Answer, decisiveMembers } from '../chain.ts';
import { difference, incidental } from '../difference.ts';
import { plain } from '../plain.ts';
import { fragment, type Html, marked, section } from './text.ts';

const bodyShown = 4000;
const headersShown = 60;

/** Maximum length of a curl command on the page. Longer ones are only in report.json. */
const longestCurl = 30_000;

/** Longer texts scroll. */
const shortLines = 16;
const shortText = 900;

/** All referenced exchanges, collapsed. */
export function exchangeList(exchanges: readonly ReportedExchange[]): Html {
  return section(
    'requests',
    'Requests',
    html`<p>${counted(exchanges.length, 'request')} of this run to which this page refers, with the responses.</p>
<div class="exchange-list">${exchanges.map(listed)}</div>`,
  );
}

/** Uses few elements, because a page can list thousands of exchanges. */
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
  }${traceView(exchange)}</details>`;
}

function message(first: string | number, headers: Headers, body: string | null): string {
  const lines = headers.slice(0, headersShown).map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return [plain(String(first), 600), ...lines, '', shownBody(body ?? '', bodyShown)].join('\n');
}

interface ViewOptions {
  /** Another response of the deployment. Differences from it are highlighted. */
  comparedWith?: Answer | undefined;
  open: boolean;
}

/** A collapsible exchange. */
export function exchangeView(exchange: ReportedExchange, options: ViewOptions): Html {
  return html`<details class="exchange" ${options.open && html`open`}>
<summary>${caption(exchange)}</summary>${contents(exchange, options)}</details>`;
}

function caption(exchange: ReportedExchange): Html {
  const { id, tool, request, response, credential, durationMs } = exchange;
  const what = tool === null ? `${request.method} ${URL.parse(request.url)?.pathname ?? request.url}` : tool;
  return html`<span class="number">#${id}</span> <code>${plain(what, 120)}</code> as ${plain(credential, 80)} →
<b>${response === null ? 'no response' : response.status}</b> ${plain(decisiveMembers(exchange).join(', '), 200)}
<span class="ms">${Math.round(durationMs)} ms</span>`;
}

function contents(exchange: ReportedExchange, { comparedWith }: ViewOptions): Html {
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
    : answerView(response, comparedWith)
}
${
  response?.cutAtBytes !== undefined &&
  html`<p class="problem">
Only the first ${response.cutAtBytes} bytes were kept.</p>`
}</div>
</div>
${traceView(exchange)}${curlView(curl)}
</div>`;
}

/** The IDs to look for in the logs of the service. */
function traceView({ trace }: ReportedExchange): Html | null {
  if (trace === undefined) return null;
  const { traceId, spanId, url } = trace;
  const id = html`<code>${plain(traceId, 60)}</code>`;
  const isLink = url !== undefined && /^https?:/.test(url) && URL.canParse(url);
  return html`<p class="trace">Trace ${isLink ? html`<a href="${url}">${id}</a>` : id}, span
<code>${plain(spanId, 60)}</code></p>`;
}

/** A response. Highlights the status, headers and parts of the body that differ from `other`. */
function answerView(answer: Answer, other: Answer | undefined): Html {
  const statusDiffers = other !== undefined && other.status !== answer.status;
  const body = other === undefined ? bodyView(answer.body) : markedBody(answer.body, other.body);
  return html`<pre>${statusDiffers ? html`<mark>${answer.status}</mark>` : answer.status}
${headerLines(answer.headers, other?.headers)}</pre>${body}`;
}

function headerLines(headers: Headers, others?: Headers): Html {
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

/** A body with differences from another body highlighted. */
function markedBody(body: string, other: string): Html {
  if (body === '') return bodyView(body);
  const { actual } = difference(shownBody(other, bodyShown), shownBody(body, bodyShown));
  return html`<pre>${marked(actual)}</pre>`;
}

/** A preformatted text. A long text scrolls and is focusable, for keyboard users. */
function block(text: string): Html {
  const long = text.length > shortText || text.split('\n').length > shortLines;
  return html`<pre ${long && html`class="long" tabindex="0"`}>${text}</pre>`;
}

function curlView(curl: string): Html | null {
  if (curl === '') return null;
  if (curl.length > longestCurl) return html`<p class="empty">The curl line is long; it is in report.json.</p>`;
  return commandView(curl);
}

/** A command line with a Copy button. */
export function commandView(line: string): Html {
  return html`<div class="command"><button type="button"
data-copy>Copy</button>${block(plain(line, longestCurl))}</div>`;
}
