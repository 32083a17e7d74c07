/**
 * Asks questions at a terminal, one after the other; undefined without a terminal and in CI.
 */
export function questionsAt({
  stdin,
  stdout,
  env,
}: NodeJS.Process): ((question: string) => Promise<string>) | undefined {
  if (!stdin.isTTY || !stdout.isTTY || (env.CI ?? '') !== '') return undefined;
  return async (question) => {
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: stdin, output: stdout });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  };
}
