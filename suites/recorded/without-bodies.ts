import { describe } from '../../fixtures/contract/describe.ts';
import type { ReportedExchange, RunResult } from '../result.ts';

/**
 * Returns a result without texts of customers. Bodies keep member names, numbers and texts from the specification, such
 * as codes. All other texts are replaced by their length.
 */
export function withoutBodies(result: RunResult): RunResult {
  const words = wordsOf(describe());
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

/** Returns the words of the specification. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w.-]+/g));
}
