import { Writable } from 'node:stream';

/** A stream that keeps what is written to it; with a size, what a terminal of that size would be. */
export class Sink extends Writable {
  readonly columns = 100;
  readonly rows = 30;
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
