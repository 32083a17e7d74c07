import { once } from 'node:events';
import { createServer } from 'node:http';
import { UsageError } from '../suites/usage/usage-error.ts';

/** Serves the metrics of the last run on the loopback interface, at `/metrics`. */
export class MetricsServer implements AsyncDisposable {
  /** Without a run, the text has no metrics. */
  text = '# EOF\n';
  readonly #server = createServer(({ url }, response) => {
    if (url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' });
    response.end(this.text);
  });

  /** Throws a UsageError if the port is not free. */
  async listen(port: number): Promise<void> {
    try {
      this.#server.listen(port, '127.0.0.1');
      await once(this.#server, 'listening');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`--metrics-port: cannot listen on port ${port}: ${reason}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
