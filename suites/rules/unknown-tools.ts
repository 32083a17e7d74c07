import { isToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Completed } from '../history/exchange.ts';
import { brief, shorten } from '../json.ts';
import type { Finding } from './finding.ts';
import { boundaryError } from './match/responses.ts';
import { isProperRequest, knowsHeaders } from './match/scope.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';
import { sameHeaders, sameText } from './same.ts';
import { causeOf } from './seen/causes.ts';
import type { Seen } from './seen/seen.ts';

/** A name of one path segment that is no tool; undefined for others, of which the specification says nothing. */
function unknownName(exchange: Completed): string | undefined {
  const { tool } = exchange.request;
  if (tool === null || !isProperRequest(exchange) || exchange.sender.kind !== 'key') return undefined;
  let name: string;
  try {
    name = decodeURIComponent(tool);
  } catch {
    return undefined;
  }
  // Dots alone and slashes make another path.
  if (isToolName(name) || /^\.*$/.test(name) || /[/\\?#]/.test(name)) return undefined;
  return name;
}

/** Letters that a name must have in common with a tool to be a near miss. */
const leastLetters = 6;

function nearlyATool(name: string): boolean {
  const letters = lettersOf(name);
  return toolNames
    .map(lettersOf)
    .some((tool) => letters.length >= leastLetters && (tool.startsWith(letters) || letters.startsWith(tool)));
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

const isPrototypeName = (name: string) => name in {};

const hint =
  'Look up the nine tools by their exact names, without inherited members. Return the same 404 for all others.';

function is404(id: RequirementId, of: (name: string) => boolean): Rule {
  return rule(id, {
    applies: (exchange) => {
      const name = unknownName(exchange);
      return name !== undefined && of(name);
    },
    // With a bad key, or a closed one, it is not said which error wins.
    twin: ({ sender }, seen) => ({
      succeeded: seen.successes.ofRole(sender.role),
      promisedBy: promisedBy('schedule.read'),
    }),
    expect: (exchange) => boundaryError(exchange, 404, undefined, hint),
  });
}

const opaque = (exchange: Completed) => exchange.response.status === 404 && unknownName(exchange) !== undefined;

/** A name that the kit made up, and which no text has by chance. */
const madeUp = (exchange: Completed) => opaque(exchange) && exchange.invented.includes('tool');

const repeatsHint = 'Do not repeat the requested name in the 404.';

/** The first 404 for another name, by the same key. */
function reference(exchange: Completed, seen: Seen): Completed | undefined {
  const cause = causeOf(exchange, seen);
  return (
    cause && seen.byCause.first(cause.group, (other) => opaque(other) && other.request.tool !== exchange.request.tool)
  );
}

function sameAsOthers(
  id: RequirementId,
  compare: (one: Completed, other: Completed, seen: Seen) => Finding | undefined,
) {
  return rule(id, {
    applies: (exchange, seen) => opaque(exchange) && reference(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const one = reference(exchange, seen);
      return one && compare(one, exchange, seen);
    },
  });
}

/** Names that are no tool. */
export const unknownTools: readonly Rule[] = [
  is404('unknown-tools.unknown-404', (name) => !nearlyATool(name) && !isPrototypeName(name)),
  is404('unknown-tools.near-misses-404', nearlyATool),
  is404('unknown-tools.prototype-names-404', isPrototypeName),
  sameAsOthers('unknown-tools.uniform-body', (one, other, seen) =>
    sameText(one, other, seen, 'Send one constant body for every unknown name, without the name or a suggestion.'),
  ),
  sameAsOthers('unknown-tools.uniform-headers', (one, other, seen) =>
    sameHeaders(one, other, seen, 'Send the same headers for every unknown name.'),
  ),
  rule('unknown-tools.name-not-in-body', {
    applies: madeUp,
    expect: (exchange) => {
      const { text } = exchange.response;
      if (!text.toLowerCase().includes(String(exchange.request.tool).toLowerCase())) return undefined;
      const expected = 'a body without the requested name';
      return { expected, actual: shorten(text), hint: repeatsHint, exchanges: [exchange] };
    },
  }),
  rule('unknown-tools.name-not-in-headers', {
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && madeUp(exchange),
    expect: (exchange) => {
      const name = String(exchange.request.tool).toLowerCase();
      const found = exchange.response.headers.find(([, value]) => value.toLowerCase().includes(name));
      if (found === undefined) return undefined;
      const expected = 'no header with the requested name';
      return { expected, actual: `${found[0]}: ${brief(found[1])}`, hint: repeatsHint, exchanges: [exchange] };
    },
  }),
];
