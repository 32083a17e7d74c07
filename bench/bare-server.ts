import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Recorded responses of the stub, by path. The headers exclude connection headers. */
type Answers = Record<string, { headers: Record<string, string>; body: string }>;

// Minimal server that reads and parses requests and returns recorded responses: the baseline for the stub.
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
  const { port } = server.address() as AddressInfo; // always an AddressInfo for a TCP server
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` }));
});
