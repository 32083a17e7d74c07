import { isToolName, tools } from '../../../fixtures/contract/tools.ts';
import { type ValidationError, validators } from '../../../fixtures/contract/validators.generated.js';
import type { Exchange, Request } from '../../exchange/exchange.ts';
import { isRecord, jsonExtent, member } from '../../json.ts';

/** Kind of violation of the published schema at one field. */
export type Violation = 'missing' | 'type' | 'fraction' | 'too-short' | 'too-long' | 'pattern' | 'value' | 'property';

/**
 * Places in which validators may name a field. A missing or unknown property is often reported at its parent, with the
 * name only in the message.
 */
export type NamedBy = 'path' | 'path or message';

export interface Broken {
  readonly field: string;
  readonly how: Violation;
  readonly by: NamedBy;
}

/** Returns whether the arguments of a request fit the published schema of its tool. */
export function isValid({ request: { tool, args } }: Pick<Exchange, 'request'>): boolean {
  return tool !== null && isToolName(tool) && args !== null && validators[`${tools[tool].schema}Arguments`](args);
}

/** Returns whether a request only reads and is valid, so that no server may leave it without a response. */
export function mustBeAnswered(exchange: Exchange): boolean {
  const { request, sender, odd, refusable } = exchange;
  const reads = request.tool !== null && isToolName(request.tool) && tools[request.tool].effect === undefined;
  return reads && request.method === 'POST' && sender.kind === 'key' && !odd && !refusable && isValid(exchange);
}

/**
 * Returns the only field at which the arguments violate the published schema; undefined if there are none or several.
 */
export function brokenField(exchange: { readonly request: Arguments }): Broken | undefined {
  const [one, other] = brokenFields(exchange);
  return other === undefined ? one : undefined;
}

/**
 * Cache by request, because dozens of rules ask. Arguments cannot be the key, because requests to two tools may share
 * them.
 */
const brokenOf = new WeakMap<Arguments, readonly Broken[]>();

/** Parts of a request that its schema covers. */
type Arguments = Pick<Request, 'tool' | 'args'>;

/** Returns every field at which the arguments violate the published schema. */
export function brokenFields({ request }: { readonly request: Arguments }): readonly Broken[] {
  const broken = brokenOf.get(request) ?? allBroken(request);
  brokenOf.set(request, broken);
  return broken;
}

function allBroken({ tool, args }: Arguments): Broken[] {
  if (tool === null || !isToolName(tool) || args === null) return [];
  const validate = validators[`${tools[tool].schema}Arguments`];
  if (validate(args)) return [];
  const broken = (validate.errors ?? [])
    .map((error) => brokenBy(error, args))
    .filter((violation) => violation !== undefined);
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
  // A server that reads null as absent reports a missing field.
  if (value === null) return { field, how: 'missing', by: 'path or message' };
  if (keyword === 'type')
    return { field, how: typeof value === 'number' && params.type === 'integer' ? 'fraction' : 'type', by: 'path' };
  const how = { minLength: 'too-short', maxLength: 'too-long', pattern: 'pattern', enum: 'value' }[keyword];
  return how === undefined ? undefined : { field, how: how as Violation, by: 'path' };
}

/** An ordinary request has fewer levels, and fewer characters. */
const leastOdd = { levels: 50, characters: 10_000 };

/** Returns what may make a server fail for a request, such as `a long text`; undefined for an ordinary request. */
export function oddityOf({ tool, args, body }: Pick<Request, 'tool' | 'args' | 'body'>): string | undefined {
  if (tool === null || body === null) return undefined;
  if (!isToolName(tool)) return 'an unknown name';
  if (jsonExtent(body).levels >= leastOdd.levels) return 'a deeply nested body';
  // JSON writes half a pair as an escape sequence: a parser accepts it, and an encoder may not.
  if (/\\ud[89a-f]/.test(JSON.stringify(args))) return 'half a surrogate pair';
  if (body.length >= leastOdd.characters) return 'a long text';
  if (args === null) return 'a body that is not a JSON object';
  return brokenFields({ request: { tool, args } }).length > 0 ? 'invalid arguments' : undefined;
}

/** Whether the path of an issue is the field, or ends with a separator and the field. */
export function pathNames(path: string, field: string): boolean {
  const bare = path.replace(/["'`\])}>]+$/, '');
  if (bare === field) return true;
  if (!bare.endsWith(field)) return false;
  return /[^\p{L}\p{N}_-]$/u.test(bare.slice(0, -field.length));
}

function issueNames(issue: unknown, field: string, by: NamedBy): boolean {
  if (!isRecord(issue)) return false;
  const { path, message } = issue;
  if (typeof path === 'string' && pathNames(path, field)) return true;
  if (Array.isArray(path) && path.at(-1) === field) return true;
  // Matches whole words only: "invalid" does not name the field `id`.
  return by === 'path or message' && typeof message === 'string' && message.split(/[^\w-]+/).includes(field);
}

/**
 * Returns whether an issue names this field, or may do so. A refusal without issues may: a separate requirement asks
 * for them, and one defect must not fail every field.
 */
export function mayName(issues: unknown, field: string, by: NamedBy): boolean {
  if (!Array.isArray(issues) || issues.length === 0) return true;
  // Validators may quote, escape or trim names that are not plain words.
  return !/^[\w-]+$/.test(field) || issues.some((issue) => issueNames(issue, field, by));
}
