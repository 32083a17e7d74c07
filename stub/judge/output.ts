import type { ChildProcess } from 'node:child_process';

/** Maximum length of the captured output. Only the end is kept. */
const mostCharacters = 8192;

/** Captures standard output and standard error of a client in one text. */
export class Output {
  #text = '';

  read({ stdout, stderr }: ChildProcess): void {
    for (const stream of [stdout, stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#text = (this.#text + chunk).slice(-mostCharacters);
      });
    }
  }

  get text(): string {
    return this.#text;
  }
}
