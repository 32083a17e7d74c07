/** Resolves with the next key that the person presses. Rejects when the signal aborts. */
export type PressedKey = (signal: AbortSignal) => Promise<string>;

/** Reads single keys at the terminal. Undefined without a terminal and in CI. */
export function keysAt({ stdin, stdout, env }: NodeJS.Process): PressedKey | undefined {
  if (!stdin.isTTY || !stdout.isTTY || (env.CI ?? '') !== '') return undefined;
  return (signal) =>
    new Promise((resolve, reject) => {
      const end = () => {
        stdin.setRawMode(false).pause();
        stdin.off('data', pressed);
        signal.removeEventListener('abort', aborted);
      };
      const pressed = (data: Buffer) => {
        end();
        resolve(data.toString('utf8'));
      };
      const aborted = () => {
        end();
        reject(signal.reason);
      };
      signal.addEventListener('abort', aborted);
      // Without raw mode, a key would arrive only with the line feed.
      stdin.setRawMode(true).resume().on('data', pressed);
    });
}
