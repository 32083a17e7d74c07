import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Completed } from '../../exchange/exchange.ts';
import { brief, shorten } from '../../json.ts';
import { failure } from '../answers.ts';
import { promisedBy, type Rule, row, type Step } from '../rule.ts';
import { sameHeaders, sameText } from '../same.ts';
import { type Named, situationOf } from '../situation.ts';
import { groupOf } from '../world/presentation.ts';
import { hasObjectOrNoBody, knowsHeaders } from '../world/scope.ts';
import type { Seen } from '../world/seen.ts';

const source = 'Errors, 404';

function is404(id: RequirementId, name: string, tool: Named): Step {
  return {
    id,
    must: `The server MUST return 404 for a tool name that ${name}.`,
    source,
    when: { who: ['key'], tool: [tool], body: ['object', 'omitted'] },
    answers: [failure(404)],
    control: ({ sender }, seen) => seen.successes.ofRole(sender.role) || promisedBy('schedule.read'),
    hint: 'Look up the tools by their exact names, without inherited members. Return the same 404 for all others.',
  };
}

export const unknownTools: readonly Step[] = [
  is404('unknown-tools.unknown-404', 'does not exist', 'unknown name'),
  is404('unknown-tools.near-misses-404', 'nearly matches an existing one, in spelling or letter case', 'near miss'),
  is404(
    'unknown-tools.prototype-names-404',
    'is a built-in property name of JavaScript objects, such as `constructor`',
    'built-in name',
  ),
];

/** Whether a response is the 404 to a name of no tool. */
function isOpaque(exchange: Completed): boolean {
  if (exchange.response.status !== 404 || exchange.sender.kind !== 'key') return false;
  const { tool } = situationOf(exchange) ?? {};
  const isNone = unknownTools.some(({ when }) => tool !== undefined && when.tool.includes(tool));
  return isNone && hasObjectOrNoBody(exchange);
}

/** Whether the name is a random one, which no text contains by coincidence. */
const isMadeUp = (exchange: Completed) => isOpaque(exchange) && exchange.invented.includes('tool');

/** Returns the first 404 for another name by the same key. */
function reference(exchange: Completed, seen: Seen): Completed | undefined {
  if (!isOpaque(exchange)) return undefined;
  const isOther = (other: Completed) => isOpaque(other) && other.request.tool !== exchange.request.tool;
  return seen.byReason.first(groupOf(exchange), isOther);
}

const repeatsHint = 'Do not repeat the requested name in the 404.';

/** What the 404s for unknown names may contain. */
export const unknownNames: readonly Rule[] = [
  row('unknown-tools.uniform-body', {
    must: 'The server MUST return the same 404 body for every unknown tool name.',
    source,
    applies: reference,
    expect: (exchange, one, seen) => sameText(one, exchange, seen),
    hint: 'Send one constant body for every unknown name, without the name or a suggestion.',
  }),
  row('unknown-tools.uniform-headers', {
    should: 'The server SHOULD send the same 404 headers for every unknown tool name.',
    source,
    severity: 'cosmetic',
    applies: reference,
    expect: (exchange, one, seen) => sameHeaders(one, exchange, seen),
    hint: 'Send the same headers for every unknown name.',
  }),
  row('unknown-tools.name-not-in-body', {
    must: 'The server MUST NOT repeat the tool name in the 404 body.',
    source,
    applies: isMadeUp,
    expect: (exchange) => {
      const { text } = exchange.response;
      const isRepeated = text.toLowerCase().includes(String(exchange.request.tool).toLowerCase());
      return isRepeated && { at: 'exchanges', expected: 'a body without the requested name', actual: shorten(text) };
    },
    hint: repeatsHint,
  }),
  row('unknown-tools.name-not-in-headers', {
    should: 'The server SHOULD NOT repeat the tool name in a header of the 404.',
    source,
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && isMadeUp(exchange),
    expect: (exchange) => {
      const name = String(exchange.request.tool).toLowerCase();
      const found = exchange.response.headers.find(([, value]) => value.toLowerCase().includes(name));
      if (found === undefined) return undefined;
      return {
        at: { header: found[0] },
        got: found[1],
        expected: 'no header with the requested name',
        actual: `${found[0]}: ${brief(found[1])}`,
      };
    },
    hint: repeatsHint,
  }),
];
