import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { headersOf, passedOn } from './hop-by-hop.ts';
import { Kept } from './kept.ts';
import type { Passed } from './passed.ts';

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
  onEnd: (facts: Facts) => void,
): void {
  const { socket } = incoming;
  const requestBody = new Kept();
  let response: Passed['response'] = null;
  let isOver = false;
  const end = (problem?: string): void => {
    if (isOver) return;
    isOver = true;
    onEnd({ requestBody, response, ...(problem === undefined ? {} : { problem }) });
  };
  let upstream: ClientRequest | undefined;
  const fail = (error: unknown): void => {
    if (isOver) return;
    const code = codeOf(error);
    end(`the message cannot be forwarded (${code}); the client got ${outgoing.headersSent ? 'a part of it' : 502}`);
    upstream?.destroy();
    incoming.unpipe();
    incoming.resume();
    if (outgoing.headersSent) socket.destroy();
    else badGateway(outgoing, code);
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

  try {
    upstream = send();
  } catch (error) {
    fail(error);
    return;
  }
  let interim = 0;
  let isComplete = () => false;
  upstream.on('information', ({ statusCode, rawHeaders }) => {
    interim += 1;
    if (interim > mostInterim) fail(new Error('too many interim responses'));
    if (statusCode !== 103 || interim > mostInterim) return;
    try {
      outgoing.writeEarlyHints(Object.fromEntries(headersOf(rawHeaders)));
    } catch {
      // Clients can do without malformed hints.
    }
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
      const body = new Kept();
      const status = answer.statusCode ?? 0;
      // HTTP has no status below 100, so no client can receive one, but the response is still judged.
      if (status < 100) response = { status, headers: answer.rawHeaders, body };
      outgoing.sendDate = false;
      outgoing.writeHead(status, answer.statusMessage, passedOn(answer.rawHeaders));
      // Send headers at once if the body starts later, as in a stream. Otherwise headers and body leave together.
      setImmediate(guarded(() => outgoing.destroyed || outgoing.flushHeaders()));
      answer.on('data', (chunk: Buffer) => body.add(chunk));
      answer.on('end', () => {
        response = { status, headers: answer.rawHeaders, body };
        try {
          if (answer.rawTrailers.length > 0) outgoing.addTrailers(Object.fromEntries(headersOf(answer.rawTrailers)));
        } catch {
          // Malformed trailers are left out.
        }
        end();
      });
      answer.on('error', () => socket.destroy());
      answer.pipe(outgoing);
    }),
  );
  // If the deployment breaks the connection, break the client's connection, too.
  upstream.on('error', (error) => {
    // Bytes after a complete response, such as a body for 204, belong to no exchange.
    if (isComplete()) return;
    if (/^HPE_/.test(codeOf(error))) return fail(error);
    end();
    if (!outgoing.writableEnded) socket.destroy();
  });
  upstream.on('close', () => {
    end();
  });
  outgoing.on('error', () => upstream.destroy());
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  incoming.on('error', () => upstream.destroy());
  incoming.on('data', (chunk: Buffer) => requestBody.add(chunk));
  incoming.pipe(upstream);
}

function badGateway(outgoing: ServerResponse, code: string): void {
  outgoing.sendDate = true;
  const headers = { 'content-type': 'text/plain', connection: 'close' };
  outgoing.writeHead(502, 'Bad Gateway', headers).end(`tck proxy: the message cannot be forwarded (${code})\n`);
}

/** Returns the code of an error, which contains no part of the message. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.message;
}
