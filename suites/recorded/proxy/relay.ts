import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Body, type Budget } from './bodies.ts';

/** A request that passed through the proxy. Header lists alternate names and values, as received. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: readonly string[];
  readonly requestBody: Body;
  /** Null if the deployment did not respond, or not completely. */
  readonly response: { readonly status: number; readonly headers: readonly string[]; readonly body: Body } | null;
  /** Why the client did not get a complete response, without a part of the message. */
  readonly problem?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

type Facts = Pick<Passed, 'requestBody' | 'response' | 'problem'>;

/** Maximum number of interim responses (1xx) per request. More of them may exhaust the memory of the proxy. */
const mostInterim = 100;

/**
 * Forwards one request, and its response. Invalid data from a client or a deployment ends only this exchange. If the
 * response cannot be written, the client gets a 502.
 */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  send: () => ClientRequest,
  budget: Budget,
  onEnd: (facts: Facts) => void,
): void {
  const { socket } = incoming;
  const requestBody = new Body(budget, incoming.rawHeaders);
  let response: Passed['response'] = null;
  let responseBody: Body | undefined;
  let isOver = false;
  const end = (problem?: string): void => {
    if (isOver) return;
    isOver = true;
    if (response === null) responseBody?.release();
    onEnd({ requestBody, response, ...(problem === undefined ? {} : { problem }) });
  };
  let upstream: ClientRequest | undefined;
  const fail = (error: unknown): void => {
    if (isOver) return;
    const problem = problemOf(error);
    end(problem);
    upstream?.destroy();
    incoming.unpipe();
    incoming.resume();
    if (outgoing.headersSent) socket.destroy();
    else badGateway(outgoing, problem);
  };
  const guarded =
    <T extends unknown[]>(work: (...given: T) => void) =>
    (...given: T): void => {
      try {
        work(...given);
      } catch (error) {
        fail(error);
      }
    };

  if (budget.isUsedUp) {
    end(usedUp);
    outgoing.writeHead(503, { 'content-type': 'text/plain', connection: 'close' }).end(`tck proxy: ${usedUp}\n`);
    return;
  }
  try {
    upstream = send();
  } catch (error) {
    fail(error);
    return;
  }
  let interim = 0;
  let isComplete = () => false;
  upstream.on('information', () => {
    interim += 1;
    if (interim > mostInterim) fail(new Error('too many interim responses'));
  });
  upstream.on('continue', () => {
    if (incoming.headers.expect !== undefined && !outgoing.headersSent) outgoing.writeContinue();
  });
  upstream.on('upgrade', (_answer, upgraded) => {
    upgraded.destroy();
    fail(new Error('101 without a request to upgrade'));
  });
  upstream.on(
    'response',
    guarded((answer) => {
      isComplete = () => answer.complete;
      const body = new Body(budget, answer.rawHeaders);
      const status = answer.statusCode ?? 0;
      responseBody = body;
      // HTTP has no status below 100, so no client can receive one, but the response is still judged.
      if (status < 100) response = { status, headers: answer.rawHeaders, body };
      outgoing.sendDate = false;
      outgoing.writeHead(status, answer.statusMessage, passedOn(answer.rawHeaders, incoming.httpVersion));
      // Send headers at once if the body starts later, as in a stream. Otherwise headers and body leave together.
      setImmediate(guarded(() => outgoing.destroyed || outgoing.flushHeaders()));
      answer.on('data', (chunk: Buffer) => body.add(chunk));
      answer.on('end', () => {
        response = { status, headers: answer.rawHeaders, body };
      });
      answer.on('error', fail);
      answer.pipe(outgoing);
    }),
  );
  upstream.on('error', (error) => {
    // Bytes after a complete response, such as a body for 204, belong to no exchange.
    if (!isComplete()) fail(error);
  });
  upstream.on('close', () => {
    if (!isComplete()) fail(closedEarly);
  });
  const clientLeft = () => {
    response = null;
    end('the client closed the connection before the end of the response');
    upstream.destroy();
  };
  outgoing.on('finish', () => end());
  outgoing.on('error', clientLeft);
  outgoing.on('close', () => outgoing.writableFinished || clientLeft());
  incoming.on('error', clientLeft);
  incoming.on('data', (chunk: Buffer) => requestBody.add(chunk));
  incoming.pipe(upstream);
}

const usedUp = 'the open requests need more memory than the proxy uses';

const closedEarly = Object.assign(new Error('closed'), { code: 'ECONNRESET' });

function badGateway(outgoing: ServerResponse, problem: string): void {
  outgoing.sendDate = true;
  const headers = { 'content-type': 'text/plain', connection: 'close' };
  outgoing.writeHead(502, 'Bad Gateway', headers).end(`tck proxy: ${problem}\n`);
}

const problems: readonly (readonly [code: RegExp, problem: string])[] = [
  [/^ECONNREFUSED$/, 'the deployment refused the connection'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host name of the deployment cannot be resolved'],
  [/^(ETIMEDOUT|E(NET|HOST)UNREACH)$/, 'the deployment cannot be reached'],
  [/^alert 120$/, 'the deployment speaks only HTTP/2, and the proxy speaks only HTTP/1.1'],
  [/CERTIFICATE_REQUIRED/, 'the deployment requires a client certificate, and the proxy has none'],
  [/ALTNAME/, 'the certificate of the deployment does not name its host'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'the certificate of the deployment is not trusted; see NODE_EXTRA_CA_CERTS'],
  [
    /^HPE_INVALID_(CONSTANT|VERSION)$/,
    'the response of the deployment is not HTTP/1.1, and the proxy does not speak HTTP/2',
  ],
  [/^EPROTO$|WRONG_VERSION/, 'the port of the deployment does not speak TLS: use http:// if it speaks plain HTTP'],
  [/^ERR_SSL/, 'the TLS handshake with the deployment failed'],
  [/^(ECONNRESET|EPIPE)$/, 'the deployment closed the connection before the end of its response'],
];

function problemOf(error: unknown): string {
  const code = codeOf(error);
  const [, problem] = problems.find(([known]) => known.test(code)) ?? [];
  return `${problem ?? 'the message cannot be forwarded'} (${code})`;
}

/** Returns the code of an error, which contains no part of the message. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // A server without HTTP/1.1 ends the handshake with the TLS alert `no_application_protocol`.
  if (/alert number 120/.test(error.message)) return 'alert 120';
  return 'code' in error ? String(error.code) : error.message;
}

/** Headers of a single connection. The proxy has two connections, so it forwards neither these headers nor trailers. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'host', 'upgrade', 'http2-settings', 'trailer'];

/** Headers that frame a body, so that `Connection` cannot list them. */
const ofBody = ['content-length', 'transfer-encoding'];

/**
 * Returns the forwarded headers: alternating names and values, in their original order and case. The headers that
 * `Connection` lists are for one connection only (RFC 9110, 7.6.1).
 */
export function passedOn(rawHeaders: readonly string[], httpVersion = '1.1'): string[] {
  const headers = headersOf(rawHeaders);
  const listed = headers.flatMap(([name, value]) => (name === 'connection' ? value.toLowerCase().split(/[\s,]+/) : []));
  const left = new Set([...ofConnection, ...listed.filter((name) => !ofBody.includes(name))]);
  // HTTP/1.0 has no chunks (RFC 9112, 6.1): the end of the connection ends the body.
  if (httpVersion === '1.0') left.add('transfer-encoding');
  return rawHeaders.filter((_, at) => !left.has(headers[at >> 1]?.[0] ?? ''));
}

/** Returns headers as pairs, with names in lower case. */
export function headersOf(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return headers;
}
