import { isToolName, toolsPath } from '../../fixtures/contract/tools.ts';
import type { ReportedExchange, RunResult } from '../result.ts';

const leftOut = '(left out: the recording holds too many different secrets)';

/** Returns a result without anything that may contain a secret. Failed requirements and their requests remain. */
export function bareResult(result: RunResult): RunResult {
  const notice =
    'the recording holds more different secrets than the kit can replace: headers, bodies and texts are left out';
  return {
    ...result,
    notices: [...result.notices, notice],
    requirements: result.requirements.map(({ reason, ...requirement }) => ({
      ...requirement,
      ...(reason === undefined ? {} : { reason: leftOut }),
      findings: requirement.findings.map(({ alsoActual: _more, want: _want, got: _got, ...finding }) => ({
        ...finding,
        expected: requirement.statement,
        actual: leftOut,
        hint: 'Record fewer clients at once to see what the server sent.',
      })),
    })),
    exchanges: result.exchanges.map((exchange) => bareExchange(exchange, result.target.baseUrl)),
  };
}

/** Other names of tools come from clients and may contain secrets. */
function bareExchange({ tool, request, response, ...exchange }: ReportedExchange, baseUrl: string): ReportedExchange {
  const shown = tool !== null && isToolName(tool) ? tool : '(another tool)';
  return {
    ...exchange,
    tool: shown,
    request: { method: request.method, url: `${baseUrl}${toolsPath}${shown}`, headers: [], body: null },
    response: response && { status: response.status, headers: [], body: '' },
    curl: '',
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
