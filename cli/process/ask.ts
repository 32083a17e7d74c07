/**
 * Asks one question after another at a terminal; undefined where there is no terminal, or in CI: nobody would answer.
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
