import { type Completed, isSuccess } from '../exchange/exchange.ts';
import { refusedArguments } from './rows/arguments.ts';
import { malformedBodies } from './rows/bodies.ts';
import { closedSurfaces, refusedCredentials } from './rows/credentials.ts';
import { unknownTools } from './rows/unknown-tools.ts';
import { type Rule, row, type Step, type When } from './rule.ts';
import { type Situation, situationOf } from './situation.ts';

/** The steps of a server, in order: the first thing that is wrong decides. */
const steps: readonly Step[] = [
  ...refusedCredentials,
  ...closedSurfaces,
  ...unknownTools,
  ...malformedBodies,
  ...refusedArguments,
];

const predicted = new WeakMap<Completed, Step | null>();

/** Returns the requirement that decides a request with something wrong. Returns undefined for other requests. */
export function predict(exchange: Completed): Step | undefined {
  const known = predicted.get(exchange);
  if (known !== undefined) return known ?? undefined;
  const situation = situationOf(exchange);
  const step = situation && steps.find(({ when }) => covers(when, situation, exchange));
  predicted.set(exchange, step ?? null);
  return step;
}

function covers({ who, tool, body, presents, broken }: When, situation: Situation, exchange: Completed): boolean {
  if (!who.includes(situation.who) || !tool.includes(situation.tool) || !body.includes(situation.body)) return false;
  if (presents !== undefined && presents !== situation.presents) return false;
  return broken === undefined || coversBroken(broken, situation, exchange);
}

/**
 * Whether the row covers a violation. A refusal may report any of several invalid fields, so only a request with one of
 * them is judged. A success is wrong whichever field is invalid.
 */
function coversBroken(
  { field, how, only = () => true }: NonNullable<When['broken']>,
  { broken }: Situation,
  exchange: Completed,
): boolean {
  if (broken.length > 1 && !isSuccess(exchange)) return false;
  const { args } = exchange.request;
  return broken.some(
    (each) => (field === undefined || each.field === field) && each.how === how && only(args?.[each.field]),
  );
}

/** The rules of all steps. A request breaks at most one of them. */
export const pipeline: readonly Rule[] = steps.map((step) =>
  row(step.id, { ...step, applies: (exchange) => predict(exchange) === step }),
);
