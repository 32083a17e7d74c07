import { PassThrough } from 'node:stream';

/** Asks a question and returns the answer. A hidden answer, such as a key, is not shown while the person types it. */
export type Ask = (question: string, hidden?: 'hidden') => Promise<string>;

/** Asks questions at the terminal. Undefined without a terminal and in CI. */
export function questionsAt({ stdin, stdout, env }: NodeJS.Process): Ask | undefined {
  if (!stdin.isTTY || !stdout.isTTY || (env.CI ?? '') !== '') return undefined;
  return async (question, hidden) => {
    const { createInterface } = await import('node:readline/promises');
    // readline echoes to its output, so a hidden answer goes to a stream without a reader.
    const output = hidden === undefined ? stdout : new PassThrough().resume();
    const terminal = createInterface({ input: stdin, output, terminal: true });
    try {
      if (hidden !== undefined) stdout.write(question);
      return await terminal.question(question);
    } finally {
      if (hidden !== undefined) stdout.write('\n');
      terminal.close();
    }
  };
}
