import type { ChildProcess } from 'node:child_process';

/** Most that is kept of what a client prints: the end of it. */
const mostCharacters = 8192;

/** What a client prints, standard output and error together. */
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
