import { readFileSync } from 'node:fs';
import { Agent, createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Recorded responses of the stub, by path. The headers exclude connection headers. */
type Answers = Record<string, { headers: Record<string, string>; body: string }>;

/** The baseline for the stub: reads and parses requests, and returns recorded responses. */
function server(file: string): RequestListener {
  const answers: Answers = JSON.parse(readFileSync(file, 'utf8'));
  return async (incoming, outgoing) => {
    const text = Buffer.concat(await incoming.toArray()).toString('utf8');
    if (text !== '') JSON.parse(text);
    const answer = answers[incoming.url ?? ''];
    if (answer === undefined) outgoing.writeHead(404).end();
    else outgoing.writeHead(200, answer.headers).end(answer.body);
  };
}

/** The baseline for `tck proxy`: forwards requests and responses. */
function proxy(target: string): RequestListener {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const upstream = request({ agent, hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  };
}

// `node bare.ts FILE` serves recorded responses, and `node bare.ts URL` forwards to a server.
const [given = ''] = process.argv.slice(2);
const listening = createServer(given.startsWith('http:') ? proxy(given) : server(given));
listening.listen(0, '127.0.0.1', () => {
  const { port } = listening.address() as AddressInfo; // always an AddressInfo for a TCP server
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` }));
});
