import type { Completed } from '../history/exchange.ts';
import { shorten } from '../json.ts';
import type { Finding } from './finding.ts';
import { headerParts, textPart } from './match/parts.ts';
import { knowsHeaders } from './match/scope.ts';
import { confirmingRounds, type Difference, type PartsOf } from './seen/by-cause.ts';
import { causeOf } from './seen/causes.ts';
import type { Seen } from './seen/seen.ts';

/** Who asked for what, in words. */
const named = ({ sender, request }: Completed) => `${request.tool} with ${sender.label}`;

/** Two responses have the same body, to the byte: a boundary error has no room for anything that changes. */
export function sameText(one: Completed, other: Completed, seen: Seen, hint: string): Finding | undefined {
  if (one.response.text === other.response.text) return undefined;
  // Another release of the deployment may have another text, for all causes alike.
  const isCertain = seen.knowledge.complete || differenceOf(one, other, seen, textPart)?.certain === true;
  return {
    expected: `the body of ${named(one)}: ${shorten(one.response.text)}`,
    actual: `${named(other)}: ${shorten(other.response.text)}`,
    hint,
    exchanges: [one, other],
    ...(isCertain ? {} : { uncertain: confirmingRounds }),
  };
}

/** How the responses to the causes of two exchanges differ. */
function differenceOf(one: Completed, other: Completed, seen: Seen, partsOf: PartsOf): Difference | undefined {
  const [first, second] = [causeOf(one, seen), causeOf(other, seen)];
  if (first === undefined || second === undefined) return undefined;
  return seen.byCause.difference(first.group, first.cause, second.cause, partsOf);
}

/** Headers do not tell two causes apart that must not be told apart, over several repetitions of both. */
export function sameHeaders(one: Completed, other: Completed, seen: Seen, hint: string): Finding | undefined {
  if (!knowsHeaders(one, seen) || !knowsHeaders(other, seen)) return undefined;
  const it = differenceOf(one, other, seen, headerParts);
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
