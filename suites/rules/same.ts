import type { Completed } from '../history/exchange.ts';
import { shorten } from '../json.ts';
import type { Finding } from './finding.ts';
import { headerParts } from './match/parts.ts';
import { causeOf } from './seen/causes.ts';
import { confirmingRounds } from './seen/likeness.ts';
import type { Seen } from './seen/seen.ts';

/** Who asked for what, in words. */
const named = ({ sender, request }: Completed) => `${request.tool} with ${sender.label}`;

/** Two responses have the same body, to the byte: a boundary error has no room for anything that changes. */
export function sameText(one: Completed, other: Completed, hint: string): Finding | undefined {
  if (one.response.text === other.response.text) return undefined;
  return {
    expected: `the body of ${named(one)}: ${shorten(one.response.text)}`,
    actual: `${named(other)}: ${shorten(other.response.text)}`,
    hint,
    exchanges: [one, other],
  };
}

/** Headers do not tell two causes apart that must not be told apart, over several repetitions of both. */
export function sameHeaders(one: Completed, other: Completed, seen: Seen, hint: string): Finding | undefined {
  const [first, second] = [causeOf(one, seen), causeOf(other, seen)];
  if (first === undefined || second === undefined || !seen.knowledge.headers) return undefined;
  const it = seen.likeness.difference(first.group, first.cause, second.cause, headerParts);
  if (it === undefined) return undefined;
  const shown = (exchange: Completed) =>
    it.parts.map((name) => `${name}: ${shorten(headerParts(exchange).get(name) ?? '(missing)')}`).join('; ');
  return {
    expected: `the headers of ${named(one)} (${shown(it.one)})`,
    actual: `${named(other)}: ${shown(it.other)}`,
    hint,
    exchanges: [it.one, other],
    ...(it.certain ? {} : { uncertain: confirmingRounds }),
  };
}
