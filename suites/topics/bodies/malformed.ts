import { boundaryCodes, quoted } from '../../../fixtures/contract/codes.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { must, type Requirement, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { promisedBy } from '../../expectations/promises.ts';
import { boundaryError } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { isToolRequest } from '../../situations/scope.ts';

const malformed = boundaryCodes.malformedBody;

const batchTooLarge = boundaryCodes.batchTooLarge;

const kinds = ['not JSON', 'string', 'number', 'boolean', 'null', 'empty array', 'array', 'large array'] as const;

type Kind = (typeof kinds)[number];

/** Fewest elements of a large array. */
const largeArray = 1000;

const mostCharacters = 100_000;

/**
 * Whether the specification leaves the body open: invalid UTF-8, a byte order mark, white space only, or too many
 * characters.
 */
const isUnruled = (text: string) => text.trim() === '' || /[\ufeff\ufffd]/.test(text) || text.length > mostCharacters;

/** Classifies a body that is sent as JSON but is not an object. Returns undefined for other bodies. */
function kindOf({ request }: Completed): Kind | undefined {
  const type = request.headers.find(([name]) => name === 'content-type')?.[1];
  if (request.args !== null || request.body === null || isUnruled(request.body) || type !== 'application/json')
    return undefined;
  let value: unknown;
  try {
    value = JSON.parse(request.body);
  } catch {
    return 'not JSON';
  }
  if (value === null) return 'null';
  if (!Array.isArray(value)) return kinds.find((kind) => kind === typeof value);
  if (value.length === 0) return 'empty array';
  return value.length < largeArray ? 'array' : 'large array';
}

/** The specification does not show the largest batch, so an array of two may already be too large. */
function codesFor({ request }: Completed, kind: Kind): readonly string[] {
  const several = kind === 'large array' || (kind === 'array' && (JSON.parse(request.body ?? '') as []).length > 1);
  return several ? [malformed, batchTooLarge] : [malformed];
}

/** Builds the rule that these tools refuse bodies of these kinds. */
export function refused(requirement: Requirement, tools: readonly ToolName[], which: readonly Kind[] = kinds): Rule {
  return rule(requirement, {
    applies: (exchange) => {
      const kind = kindOf(exchange);
      const asked = tools.some((tool) => tool === exchange.request.tool) && isToolRequest(exchange);
      return asked && exchange.sender.kind === 'key' && kind !== undefined && which.includes(kind);
    },
    twin: ({ sender, request }, seen) => ({
      succeeded: seen.successes.ofTool(sender.role, request.tool),
      promisedBy: promisedBy(request.tool),
    }),
    expect: (exchange) => {
      const { tool } = exchange.request;
      const hint = `Check the type of the body after parsing it: ${tool} accepts a JSON object, or no body.`;
      return boundaryError(exchange, 400, codesFor(exchange, kindOf(exchange) ?? 'not JSON'), hint);
    },
  });
}

const source = 'Errors, 400; What the service does, rule 1';

/** Builds the rule that a tool that reads refuses one kind of body. */
export function refusesKind(id: RequirementId, body: string, kind: Kind): Rule {
  const statement = `The server MUST return 400 ${quoted.malformedBody} if the body is ${body}.`;
  return refused(must(id, statement, source), ['schedule.read'], [kind]);
}

/** Builds the rule that tools refuse every kind of malformed body. */
export function refusesAllKinds(id: RequirementId, where: string, tools: readonly ToolName[]): Rule {
  const statement = `The server MUST return the documented 400 for a malformed body ${where}.`;
  return refused(must(id, statement, source), tools);
}
