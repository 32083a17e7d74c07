import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { Exchange } from '../../history/exchange.ts';
import type { Redact } from '../../history/redaction/redactor.ts';
import { HarFile } from '../write-har.ts';

const algorithm = 'aes-256-ctr';

/**
 * Keeps exchanges until the recording ends, because a later request may show that a text is secret. The exchanges wait
 * in a file encrypted with a key in memory, so a killed proxy leaves nothing readable.
 */
export class HarSpool {
  readonly #har: HarFile;
  readonly #path: string;
  readonly #secret = [randomBytes(32), randomBytes(16)] as const;
  readonly #cipher = createCipheriv(algorithm, ...this.#secret);
  readonly #file: WriteStream;
  #broken: Error | undefined;

  constructor(path: string) {
    this.#har = new HarFile(path);
    this.#path = `${path}.${randomUUID()}.part`;
    this.#file = createWriteStream(this.#path, { mode: 0o600 });
    this.#file.on('error', (error) => {
      this.#broken = error;
    });
    this.#cipher.pipe(this.#file);
  }

  add(exchange: Exchange): void {
    const { request, response } = exchange;
    // HAR entries contain only texts, not parsed values.
    const withoutValues = { response: response && { ...response, json: null }, request: { ...request, args: null } };
    // These characters also end a line.
    const line = JSON.stringify({ ...exchange, ...withoutValues }).replace(/[\u2028\u2029]/g, (sign) =>
      sign === '\u2028' ? '\\u2028' : '\\u2029',
    );
    if (this.#broken === undefined) this.#cipher.write(`${line}\n`);
  }

  /** Resolves when more exchanges may be added. */
  async written(): Promise<void> {
    if (this.#cipher.writableNeedDrain && this.#broken === undefined)
      await Promise.race([once(this.#cipher, 'drain'), once(this.#file, 'close')]).catch(() => undefined);
  }

  /** Writes the HAR file. `shown` removes content that must not be in it. Throws a `UsageError` if writing fails. */
  async end(redact: Redact, shown: (exchange: Exchange) => Exchange): Promise<void> {
    try {
      this.#cipher.end();
      if (this.#broken === undefined) await finished(this.#file).catch(() => undefined);
      if (this.#broken === undefined) await this.#copy(redact, shown);
      await this.#har.end(this.#broken);
    } finally {
      await rm(this.#path, { force: true });
    }
  }

  async #copy(redact: Redact, shown: (exchange: Exchange) => Exchange): Promise<void> {
    const plain = createReadStream(this.#path).pipe(createDecipheriv(algorithm, ...this.#secret));
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY })) {
      this.#har.add(shown(JSON.parse(line)), 0, redact);
      await this.#har.written();
    }
  }
}
