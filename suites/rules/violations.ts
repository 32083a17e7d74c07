import { isToolName, type ToolName, tools } from '../../fixtures/contract/tools.ts';
import { type ValidationError, validators } from '../../fixtures/contract/validators.generated.js';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, isSuccess, type Request } from '../history/exchange.ts';
import { member } from '../json.ts';
import { invalidField, type NamedBy } from './match/issues.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';

/** How a request breaks the published schema at one field. */
export type Violation = 'missing' | 'type' | 'fraction' | 'too-short' | 'too-long' | 'pattern' | 'value' | 'property';

export interface Broken {
  readonly field: string;
  readonly how: Violation;
  /** Where a response may name it: what is missing or unknown is often reported at its parent. */
  readonly by: NamedBy;
}

/** Whether the arguments of a request fit the published schema of its tool. */
export function isValid({ request: { tool, args } }: Completed): boolean {
  return tool !== null && isToolName(tool) && args !== null && validators[`${tools[tool].schema}Arguments`](args);
}

/** The one field at which the arguments of a request break the published schema; undefined where none or several do. */
export function brokenField(exchange: Completed): Broken | undefined {
  const [one, other] = brokenFields(exchange);
  return other === undefined ? one : undefined;
}

/** By the request, since dozens of rules ask; requests to two tools may share their arguments. */
const brokenOf = new WeakMap<Request, readonly Broken[]>();

/** Every field at which the arguments of a request break the published schema. */
export function brokenFields({ request }: Pick<Completed, 'request'>): readonly Broken[] {
  const broken = brokenOf.get(request) ?? allBroken(request);
  brokenOf.set(request, broken);
  return broken;
}

function allBroken({ tool, args }: Request): Broken[] {
  if (tool === null || !isToolName(tool) || args === null) return [];
  const validate = validators[`${tools[tool].schema}Arguments`];
  if (validate(args)) return [];
  const broken = (validate.errors ?? []).map((error) => brokenBy(error, args)).filter((each) => each !== undefined);
  const fields = Map.groupBy(broken, ({ field }) => field);
  return [...fields.values()].flatMap((all) => all.find(({ how }) => how === 'type') ?? all.slice(0, 1));
}

function brokenBy({ keyword, instancePath, params }: ValidationError, args: object): Broken | undefined {
  if (keyword === 'required') return { field: String(params.missingProperty), how: 'missing', by: 'path or message' };
  if (keyword === 'additionalProperties') {
    return { field: String(params.additionalProperty), how: 'property', by: 'path or message' };
  }
  const [, field] = instancePath.split('/');
  if (field === undefined) return undefined;
  const value = member(args, field);
  // A server that reads null as absent reports it as missing.
  if (value === null) return { field, how: 'missing', by: 'path or message' };
  if (keyword === 'type')
    return { field, how: typeof value === 'number' && params.type === 'integer' ? 'fraction' : 'type', by: 'path' };
  const how = { minLength: 'too-short', maxLength: 'too-long', pattern: 'pattern', enum: 'value' }[keyword];
  return how === undefined ? undefined : { field, how: how as Violation, by: 'path' };
}

/**
 * A request that breaks the schema of its tool (`fixtures/contract/tools.ts`) at this field in one of these ways is
 * refused: HTTP 200, `ok` false, code `invalid_arguments`, and `issues`, where there are any, name the field. It is
 * judged only if the same request with another value of the field, or without it, succeeded.
 * @param only values of the field that the requirement is about
 */
export function refusesField(
  id: RequirementId,
  tools: readonly ToolName[],
  field: string | null,
  ways: readonly Violation[],
  hint: string,
  only: (value: unknown) => boolean = () => true,
): Rule {
  // Of several faults it is not said which is told; none of them may be accepted.
  const brokenHere = (exchange: Completed): Broken | undefined =>
    isSuccess(exchange)
      ? brokenFields(exchange).find((broken) => (field === null || broken.field === field) && ways.includes(broken.how))
      : brokenField(exchange);
  return rule(id, {
    applies: (exchange) => {
      const { tool, args } = exchange.request;
      if (exchange.sender.kind !== 'key' || !tools.some((each) => each === tool)) return false;
      const broken = brokenHere(exchange);
      if (broken === undefined) return false;
      // The specification does not say what null means for an optional argument.
      const isUnruled = broken.how === 'missing' && args?.[broken.field] === null && !requiredBy(tool, broken.field);
      return (
        (field === null || broken.field === field) &&
        ways.includes(broken.how) &&
        !isUnruled &&
        only(args?.[broken.field])
      );
    },
    judgesRefusals: true,
    unlessChanged: true,
    twin: ({ sender, request }, seen) => ({
      succeeded: seen.successes.has({
        role: sender.role,
        tool: request.tool ?? '',
        args: request.args ?? {},
        exact: request.tool === 'images.generate',
        except: brokenFields({ request }).map((broken) => broken.field),
      }),
      promisedBy: promisedBy(request.tool),
    }),
    expect: (exchange) => {
      const broken = brokenHere(exchange);
      return broken && invalidField(exchange, broken.field, broken.by, hint);
    },
  });
}

function requiredBy(tool: string | null, field: string): boolean {
  if (tool === null || !isToolName(tool)) return false;
  const validate = validators[`${tools[tool].schema}Arguments`];
  validate({});
  return (validate.errors ?? []).some(({ params }) => params.missingProperty === field);
}
