import { describe } from '../../fixtures/contract/describe.ts';
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

/**
 * Returns a result without texts of customers. Bodies keep member names, numbers and texts from the specification, such
 * as codes. All other texts are replaced by their length.
 */
export function withoutBodies(result: RunResult): RunResult {
  // The words of the specification.
  const words = new Set(describe().match(/[\w.-]+/g));
  const shown = (text: string) => (words.has(text) ? text : `(${text.length} characters)`);
  const inJson = (text: string) =>
    text.replace(quoted, (whole: string, inner: string, colon: string | undefined) =>
      colon === undefined ? JSON.stringify(shown(inner)) : whole,
    );
  const body = (text: string) => (isJson(text) ? inJson(text) : shown(text));
  const exchange = (reported: ReportedExchange): ReportedExchange => ({
    ...reported,
    request: {
      ...reported.request,
      url: reported.request.url.replace(/\?.*$/, '?…'),
      body: reported.request.body && body(reported.request.body),
    },
    response: reported.response && { ...reported.response, body: body(reported.response.body) },
    curl: '',
  });
  // A finding may quote a text that is not JSON, or its start.
  const others = result.exchanges
    .flatMap(({ response }) => response?.body ?? [])
    .filter((text) => !isJson(text) && text.length >= shortest);
  const sentence = (text: string) =>
    inJson(others.reduce((rest, other) => rest.replaceAll(other.slice(0, quotedMost), '(a text)'), text));
  return {
    ...result,
    requirements: result.requirements.map((requirement) => ({
      ...requirement,
      findings: requirement.findings.map(({ want: _want, got: _got, ...finding }) => ({
        ...finding,
        expected: sentence(finding.expected),
        actual: sentence(finding.actual),
      })),
    })),
    exchanges: result.exchanges.map(exchange),
  };
}

/** Matches a text in JSON, complete or cut off. The second group is the colon after a member name. */
const quoted = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|…|$)/g;
const shortest = 8;
/** Maximum length of a quoted body in a finding. */
const quotedMost = 150;

function isJson(text: string): boolean {
  return /^\s*["[{\d]|^\s*(true|false|null)\s*$/.test(text);
}

/** Returns a text to print before all secrets are known, with words that look like secrets replaced. */
export function withoutTokens(text: string): string {
  return text.replace(/[^\s"'<>(),;:{}[\]]{12,}/g, (word) =>
    (/\d/.test(word) && /[a-z]/i.test(word) && !/^\d{4}-\d\d-\d\d(T|$)/.test(word)) || word.length > 40
      ? `<${word.length} characters>`
      : word,
  );
}
