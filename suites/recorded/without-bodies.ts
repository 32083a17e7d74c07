import { describe } from '../../fixtures/contract/describe.ts';
import type { ReportedExchange, RunResult } from '../result.ts';

/**
 * The same result without what customers wrote: of bodies remain the names of members, numbers, and the texts that the
 * specification has, such as codes; of every other text its length.
 */
export function withoutBodies(result: RunResult): RunResult {
  const words = wordsOf(describe());
  const shown = (text: string) => (words.has(text) ? text : `(${text.length} characters)`);
  const inJson = (text: string) =>
    text.replace(quoted, (whole: string, inner: string, colon: string | undefined) =>
      colon === undefined ? JSON.stringify(shown(inner)) : whole,
    );
  const body = (text: string) => (isJson(text) ? inJson(text) : shown(text));
  const exchange = (each: ReportedExchange): ReportedExchange => ({
    ...each,
    request: {
      ...each.request,
      url: each.request.url.replace(/\?.*$/, '?…'),
      body: each.request.body && body(each.request.body),
    },
    response: each.response && { ...each.response, body: body(each.response.body) },
    curl: '',
  });
  // A text that is no JSON may stand in a finding as it is, or its beginning.
  const others = result.exchanges
    .flatMap(({ response }) => response?.body ?? [])
    .filter((text) => !isJson(text) && text.length >= shortest);
  const sentence = (text: string) =>
    inJson(others.reduce((rest, other) => rest.replaceAll(other.slice(0, quotedMost), '(a text)'), text));
  return {
    ...result,
    requirements: result.requirements.map((requirement) => ({
      ...requirement,
      findings: requirement.findings.map((finding) => ({
        ...finding,
        expected: sentence(finding.expected),
        actual: sentence(finding.actual),
      })),
    })),
    exchanges: result.exchanges.map(exchange),
  };
}

/** A text in JSON, cut or whole, with the colon that makes it the name of a member. */
const quoted = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|…|$)/g;
const shortest = 8;
/** As much of a body as findings show. */
const quotedMost = 150;

function isJson(text: string): boolean {
  return /^\s*["[{\d]|^\s*(true|false|null)\s*$/.test(text);
}

/** The words of the specification. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w.-]+/g));
}
