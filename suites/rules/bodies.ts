import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { type ToolName, tools, toolsWithoutBody, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { type RequirementId, requirementId } from '../../fixtures/requirements/index.ts';
import type { Completed } from '../history/exchange.ts';
import { boundaryError, succeeds } from './match/responses.ts';
import { isToolRequest } from './match/scope.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';

const malformed = boundaryCodes.malformedBody;
const batchTooLarge = boundaryCodes.batchTooLarge;

type Kind = 'not JSON' | 'string' | 'number' | 'boolean' | 'null' | 'empty array' | 'array' | 'large array';

const kinds: readonly Kind[] = [
  'not JSON',
  'string',
  'number',
  'boolean',
  'null',
  'empty array',
  'array',
  'large array',
];

/** An array of at least so many elements is large, and a body of more characters may be refused for its size alone. */
const largeArray = 1000;
const mostCharacters = 100_000;

/** Bytes that are no UTF-8, or a byte order mark: the specification does not say what they are. */
const isUnruled = (text: string) => text.trim() === '' || /[\ufeff\ufffd]/.test(text) || text.length > mostCharacters;

/** What a body sent as JSON is, where it is not an object; undefined for other bodies. */
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

/** How many messages a batch may have is not shown: an array of two may be one too many. */
function codesFor({ request }: Completed, kind: Kind): readonly string[] {
  const several = kind === 'large array' || (kind === 'array' && (JSON.parse(request.body ?? '') as []).length > 1);
  return several ? [malformed, batchTooLarge] : [malformed];
}

/** These tools refuse a body of these kinds. */
function refused(id: RequirementId, tools: readonly ToolName[], which: readonly Kind[] = kinds): Rule {
  return rule(id, {
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

/** A tool that needs no arguments works without a body. */
function omitted(id: RequirementId, tool: ToolName): Rule {
  return rule(id, {
    applies: (exchange) => exchange.request.tool === tool && isToolRequest(exchange) && exchange.request.body === null,
    unlessChanged: true,
    // Without `{}` a key may not resolve to a workspace either.
    twin: ({ sender }, seen) => ({
      succeeded: seen.successes.has({ role: sender.role, tool, args: {} }),
      promisedBy: promisedBy(tool),
    }),
    expect: (exchange) => succeeds(exchange, 'Treat an omitted body as no arguments, like {}.'),
  });
}

/** What is sent as the body of a request. */
export const bodies: readonly Rule[] = [
  refused('bodies.not-json', ['schedule.read'], ['not JSON']),
  refused('bodies.json-string', ['schedule.read'], ['string']),
  refused('bodies.json-number', ['schedule.read'], ['number']),
  refused('bodies.json-boolean', ['schedule.read'], ['boolean']),
  refused('bodies.json-null', ['schedule.read'], ['null']),
  refused('bodies.empty-array', ['schedule.read'], ['empty array']),
  refused('bodies.array-of-objects', ['schedule.read'], ['array']),
  refused('bodies.large-array', ['schedule.read'], ['large array']),
  refused(
    'bodies.every-reading-tool',
    toolsWithoutSideEffects.filter((tool) => tool !== 'schedule.read'),
  ),
  refused('bodies.create-request', ['content.create_request']),
  refused('bodies.images-generate', ['images.generate']),
  ...toolsWithoutBody.map((tool) => omitted(requirementId(`bodies.omitted-${tools[tool].slug}`), tool)),
];
