import type { Headers } from '../../suites/exchange/exchange.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { type Html, html } from '../../suites/usage/html.ts';
import { decisiveMembers } from '../chain.ts';
import { limited, plain, shownBody } from '../plain.ts';
import { fragment, section } from './text.ts';

export const bodyShown = 4000;
const headersShown = 60;

/** Maximum length of a curl command on the page. Longer ones are only in report.json. */
const longestCurl = 30_000;

/** Longer texts scroll. */
const shortLines = 16;
const shortText = 900;

/** All referenced exchanges, collapsed. */
export function exchangeList(exchanges: readonly ReportedExchange[]): Html | null {
  return section(
    'requests',
    'Requests',
    html`<p>${counted(exchanges.length, 'request')} of this run to which this page refers, with the responses.</p>
<div class="exchange-list">${exchanges.map((exchange) =>
      exchangeView(exchange, { id: fragment('request', exchange.id) }),
    )}</div>`,
  );
}

/** A collapsible exchange. `id` is its fragment on the page. */
export function exchangeView(exchange: ReportedExchange, { id, open = false }: { id?: string; open?: boolean }): Html {
  const { request, response, problem, curl } = exchange;
  const cut = response?.cutAtBytes;
  return html`<details class="exchange"${id !== undefined && html` id="${id}"`}${open && html` open`}>
<summary>${caption(exchange)}</summary>
<div class="exchange-body"><div class="sides">
<div><small>Request</small>
${block(`${plain(`${request.method} ${request.url}`, 600)}\n${headerLines(request.headers)}`)}
${bodyView(request.body)}</div>
<div><small>Response after ${Math.round(exchange.durationMs)} ms</small>
${
  response === null
    ? trouble(problem ?? 'no complete response')
    : [block(`${response.status}\n${headerLines(response.headers)}`), bodyView(response.body)]
}
${cut !== undefined && trouble(`Only the first ${cut} bytes were kept.`)}</div>
</div>
${traceView(exchange)}${curl !== '' && commandView(curl)}</div></details>`;
}

const trouble = (text: string) => html`<p class="tone warned">${plain(text)}</p>`;

function caption(exchange: ReportedExchange): Html {
  const { id, tool, request, response, credential, durationMs } = exchange;
  const what = tool === null ? `${request.method} ${URL.parse(request.url)?.pathname ?? request.url}` : tool;
  return html`<small>#${id}</small> <code>${plain(what, 120)}</code> as ${plain(credential, 80)} →
<b>${response === null ? 'no response' : response.status}</b> ${plain(decisiveMembers(exchange).join(', '), 200)}
<small>${Math.round(durationMs)} ms</small>`;
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

function headerLines(headers: Headers): string {
  const lines = headers.map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return limited(lines, headersShown, (rest) => `… and ${rest} more`).join('\n');
}

function bodyView(body: string | null): Html {
  if (body === null || body === '') return html`<p><small>${body === null ? 'no' : 'empty'} body</small></p>`;
  return block(shownBody(body, bodyShown));
}

/** A preformatted text. A long text scrolls and is focusable, for keyboard users. */
export function block(content: Html | string): Html {
  const text = String(content);
  const long = text.length > shortText || text.split('\n').length > shortLines;
  return html`<pre${long && html` class="long" tabindex="0"`}>${content}</pre>`;
}

/** A command line with a Copy button. */
export function commandView(line: string): Html {
  if (line.length > longestCurl) return html`<p><small>The command is long; it is in report.json.</small></p>`;
  return html`<div class="command"><button type="button"
data-copy>Copy</button>${block(plain(line, longestCurl))}</div>`;
}
