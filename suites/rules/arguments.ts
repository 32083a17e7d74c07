import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { readingTools } from '../../fixtures/contract/tools.ts';
import { body, type Completed, isRefusal } from '../history/exchange.ts';
import { brief, isRecord } from '../json.ts';
import { isPlain } from './answers.ts';
import { first } from './finding.ts';
import { namesField, pathNames } from './match/issues.ts';
import { describe, outcomeOrMalformed } from './match/responses.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';
import { brokenFields, isValid } from './violations.ts';

/** What a server may look at in another step, before the other arguments. */
const apart = ['workspace', 'confirmation_id'];

const badFields = (exchange: Completed) => brokenFields(exchange).filter(({ field }) => !apart.includes(field));

/** Whether an issue is about the workspace, which fits the schema. */
function isOfWorkspace(exchange: Completed): boolean {
  if (brokenFields(exchange).some(({ field }) => field === 'workspace')) return false;
  const issues: unknown[] = [body(exchange).issues ?? []].flat();
  return issues.some((issue) => isRecord(issue) && pathNames(String(issue.path), 'workspace'));
}

const readsOnly = ({ request }: Completed) => readingTools.some((tool) => tool === request.tool);

const hasIssues = (exchange: Completed) => [body(exchange).issues ?? []].flat().length > 0;

/**
 * A title of which length and letters leave no doubt, even if its bytes are counted: the shortest and the longest have
 * requirements of their own. It may have several lines.
 */
const isUndisputed = (title: string) =>
  title.split('\n').every((line) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u.test(line)) &&
  title.trim() !== '' &&
  [...title].length > limits.title.least &&
  Buffer.byteLength(title) < limits.title.most;

const neverRefused = rule('arguments.valid-never-refused', {
  applies: (exchange) =>
    exchange.sender.kind === 'key' &&
    isPlain(exchange, 'title') &&
    exchange.invented.length === 0 &&
    exchange.request.body !== null,
  // The same request with other words.
  twin: ({ sender, request }, seen) => ({
    succeeded: seen.successes.has({ role: sender.role, tool: request.tool ?? '', args: request.args ?? {} }),
    promisedBy: promisedBy(request.tool),
  }),
  expect: (exchange) => {
    // How long a brief may be is not said.
    const isFit = isUndisputed(String(exchange.request.args?.title ?? ''));
    const isMalformed = exchange.response.status === 400 && (isFit || isPlain(exchange));
    if (!isMalformed && !(isFit && isRefusal(exchange, refusalCodes.invalidArguments))) return undefined;
    return {
      expected: `neither ${refusalCodes.invalidArguments} nor a 400`,
      actual: describe(exchange),
      hint: 'Accept any text that fits the published schema: look for a check that is stricter than the schema.',
      exchanges: [exchange],
    };
  },
});

/** What is answered to arguments, whatever they are. */
export const argumentErrors: readonly Rule[] = [
  rule('arguments.issues-listed', {
    judgesRefusals: true,
    applies: (exchange) => isRefusal(exchange, refusalCodes.invalidArguments),
    expect: (exchange) => {
      const { issues } = body(exchange);
      if (Array.isArray(issues) && issues.length > 0) return undefined;
      return {
        expected: 'issues to be a non-empty array',
        actual: `issues ${brief(issues)}`,
        hint: 'List each invalid field and its reason in issues, so that clients know what to correct.',
        exchanges: [exchange],
      };
    },
  }),
  rule('arguments.all-fields-named', {
    judgesRefusals: true,
    // A workspace that the key cannot reach may be refused by this code too, before anything else is looked at.
    applies: (exchange) =>
      isRefusal(exchange, refusalCodes.invalidArguments) &&
      hasIssues(exchange) &&
      badFields(exchange).length > 1 &&
      !isOfWorkspace(exchange),
    expect: (exchange) => {
      const bad = badFields(exchange);
      const fields = bad.map(({ field }) => field).join(' and ');
      const hint = `List every invalid field, not only the first: ${fields} are invalid.`;
      const unnamed = bad.map(({ field, by }) => namesField(exchange, field, by, hint));
      // Where something changes, a field that is not named may be one that is accepted: it has its own requirement.
      const isNamed = !readsOnly(exchange) && unnamed.includes(undefined);
      return isNamed ? undefined : first(...unnamed);
    },
  }),
  neverRefused,
  rule('arguments.anything-answered', {
    applies: (exchange) => exchange.sender.kind === 'key' && readsOnly(exchange) && isValid(exchange),
    // The same key was served in the same place.
    twin: ({ sender, request }, seen) => ({
      succeeded: seen.successes.has({
        role: sender.role,
        tool: request.tool ?? '',
        args: request.args ?? {},
        except: ['kind', 'id'],
      }),
      promisedBy: promisedBy(request.tool),
    }),
    expect: (exchange) =>
      outcomeOrMalformed(exchange, 'Return a result, a refusal or a 400 for any arguments: find what breaks on these.'),
  }),
];
