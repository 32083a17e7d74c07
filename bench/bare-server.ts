import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers that the stub gave, by path: headers that are not the connection's, and the body. */
type Answers = Record<string, { headers: Record<string, string>; body: string }>;

// The least that a server of this API can do: read, parse, answer. It is what the stub is measured against.
const answers: Answers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    if (text !== '') JSON.parse(text);
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, answer.headers).end(answer.body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` }));
});
