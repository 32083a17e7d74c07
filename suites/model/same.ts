import type { Completed } from '../exchange/exchange.ts';
import { shorten } from '../json.ts';
import type { KitFinding } from './finding.ts';
import { type Difference, headerParts, type PartsOf, textPart } from './world/by-reason.ts';
import { reasonOf } from './world/presentation.ts';
import { knowsHeaders } from './world/scope.ts';
import type { Seen } from './world/seen.ts';

/** Describes the sender and the tool of a request. */
const requestLabel = ({ sender, request }: Completed) => `${request.tool} with ${sender.label}`;

/** Returns the finding that a part of two responses depends on what it must not depend on. */
function unlike(
  part: 'body' | 'headers',
  [one, other]: readonly [Completed, Completed],
  shown: (exchange: Completed) => string,
  isCertain: boolean,
): KitFinding {
  return {
    at: 'exchanges',
    want: { part, sameFor: one.request.tool === other.request.tool ? 'every credential' : 'every tool' },
    got: shown(other),
    expected: `the ${part} of ${requestLabel(one)}: ${shown(one)}`,
    actual: `${requestLabel(other)}: ${shown(other)}`,
    exchanges: [one, other],
    ...(isCertain ? {} : { refutable: { by: 'repetition' } }),
  };
}

/** Expects identical bodies, byte for byte: an error response contains nothing that may vary. */
export function sameText(one: Completed, other: Completed, seen: Seen): KitFinding | undefined {
  if (one.response.text === other.response.text) return undefined;
  // A new release of the deployment may change the text for all reasons.
  const isCertain = seen.knowledge.complete || differenceOf(one, other, seen, textPart)?.certain === true;
  return unlike('body', [one, other], ({ response }) => shorten(response.text), isCertain);
}

/** Expects no header to distinguish two reasons, over several repetitions of both. */
export function sameHeaders(one: Completed, other: Completed, seen: Seen): KitFinding | undefined {
  if (!knowsHeaders(one, seen) || !knowsHeaders(other, seen)) return undefined;
  const difference = differenceOf(one, other, seen, headerParts);
  if (difference === undefined) return undefined;
  const shown = (exchange: Completed) =>
    difference.parts.map((name) => `${name}: ${shorten(headerParts(exchange).get(name) ?? '(missing)')}`).join('; ');
  return unlike('headers', [difference.one, other], shown, difference.certain);
}

/** Compares all responses to the reasons of two exchanges. */
function differenceOf(one: Completed, other: Completed, seen: Seen, partsOf: PartsOf): Difference | undefined {
  const [first, second] = [reasonOf(one, seen), reasonOf(other, seen)];
  if (first === undefined || second === undefined) return undefined;
  return seen.byReason.difference(first.group, first.reason, second.reason, partsOf);
}
