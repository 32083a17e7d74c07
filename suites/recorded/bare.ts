import { isToolName, toolsPath } from '../../fixtures/contract/tools.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ReportedExchange, RunResult } from '../result.ts';

const leftOut = '(left out: the recording holds too many different secrets)';

/** Returns the tool if the specification defines it. Other names come from clients and may contain secrets. */
const shownTool = (tool: string | null): string => (tool !== null && isToolName(tool) ? tool : '(another tool)');

function shownUrl(url: string): string {
  const [base = '', rest = ''] = url.split(toolsPath);
  const [tool = ''] = rest.split(/[?#]/);
  return base + toolsPath + (isToolName(tool) ? tool : '…');
}

/** Returns an exchange without anything that may contain a secret. Tool, status and times remain. */
export function bareExchange(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const url = shownUrl(request.url);
  return {
    ...exchange,
    request: { ...request, url, tool: shownTool(request.tool), headers: [], body: '', args: null, unread: leftOut },
    response: response && { status: response.status, headers: [], text: '', json: undefined, unread: leftOut },
  };
}

/**
 * Returns a result without anything that may contain a secret. Failed requirements and references to requests remain.
 */
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
    exchanges: result.exchanges.map(bareReported),
  };
}

function bareReported(exchange: ReportedExchange): ReportedExchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    tool: shownTool(exchange.tool),
    request: { ...request, url: shownUrl(request.url), headers: [], body: null },
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
