import type { RunResult } from '../result.ts';

const leftOut = '(left out: the recording holds too many different secrets)';

/** Returns a result without anything that may contain a secret. Failed requirements remain. */
export function bareResult(result: RunResult): RunResult {
  const notice =
    'the recording holds more different secrets than the kit can replace: requests, responses and texts are left out';
  return {
    ...result,
    notices: [...result.notices, notice],
    requirements: result.requirements.map(({ reason, exchanges: _, witness: _witness, ...requirement }) => ({
      ...requirement,
      ...(reason === undefined ? {} : { reason: leftOut }),
      findings: requirement.findings.map(({ times }) => ({
        expected: requirement.statement,
        actual: leftOut,
        hint: 'Record fewer clients at once to see what the server sent.',
        exchanges: [],
        ...(times === undefined ? {} : { times }),
      })),
    })),
    exchanges: [],
  };
}

/** Returns a text to print before all secrets are known, with words that look like secrets replaced. */
export function withoutTokens(text: string): string {
  return text.replace(/[^\s"'<>(),;:{}[\]]{12,}/g, (word) =>
    (/\d/.test(word) && /[a-z]/i.test(word) && !/^\d{4}-\d\d-\d\d(T|$)/.test(word)) || word.length > 40
      ? `<${word.length} characters>`
      : word,
  );
}
