import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

// Minimal proxy that forwards requests and responses: the baseline for `tck proxy`.
const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const upstream = request({ agent, hostname, port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
});
server.listen(0, '127.0.0.1', () => {
  const { port: own } = server.address() as AddressInfo; // always an AddressInfo for a TCP server
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${own}` }));
});
