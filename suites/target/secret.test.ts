import { expect, test } from 'vitest';
import { resolveSecret } from './secret.ts';

test.each(['__proto__', 'constructor', 'toString'])('%s is no environment variable', async (env) => {
  const sources = { env: {}, folder: '.', timeoutSeconds: 1, runsCommands: false, restricted: false };
  await expect(resolveSecret({ env }, 'keys.primary', sources)).rejects.toThrow(
    `keys.primary.env: expected the environment variable ${env} to be set, but it is not`,
  );
});
