import { Writable } from 'node:stream';

/** A stream that records its text and has the size of a terminal. */
export class Sink extends Writable {
  readonly columns = 100;
  readonly rows = 30;
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
