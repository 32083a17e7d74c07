import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { must, should } from '../../../fixtures/requirements/model.ts';
import { first } from '../../expectations/finding.ts';
import { namesField, pathNames } from '../../expectations/issues.ts';
import { rule } from '../../expectations/rule.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';
import { brief, isRecord } from '../../json.ts';
import { brokenFields } from '../../situations/violations.ts';
import type { StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { readsOnly } from './arguments.ts';

/** Arguments that a server may check in a separate step, before the others. */
const apart = ['workspace', 'confirmation_id'];

const badFields = (exchange: Completed) => brokenFields(exchange).filter(({ field }) => !apart.includes(field));

/** Whether an issue names the workspace, although the argument matches the schema. */
function isOfWorkspace(exchange: Completed): boolean {
  if (brokenFields(exchange).some(({ field }) => field === 'workspace')) return false;
  const issues: unknown[] = [body(exchange).issues ?? []].flat();
  return issues.some((issue) => isRecord(issue) && pathNames(String(issue.path), 'workspace'));
}

const hasIssues = (exchange: Completed) => [body(exchange).issues ?? []].flat().length > 0;

/** Requests with two independent invalid fields. */
export const badArguments = story('invalid arguments', {
  steps: async (t) => {
    await t.send('request an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const unknown = { workspace: `tck-${t.text('unknown workspace')}` };
    const nowhere = { invented: ['workspace'] };
    await t.send('fetch without arguments in a workspace that does not exist', {
      tool: 'library.get',
      args: unknown,
      ...nowhere,
    });
    await t.send('fetch with an invalid kind and an invalid ID', {
      tool: 'library.get',
      args: t.here({ kind: 5, id: false }),
    });
    const pairs: readonly StoryRequest[] = [
      { tool: 'library.get', args: t.here() },
      { tool: 'library.get', args: t.here({ kind: 'tck-none', id: '' }) },
      { tool: 'library.search', args: { workspace: '', query: 7 } },
      { tool: 'knowledge.search', args: { workspace: 5, query: ['a'] } },
    ];
    for (const asked of pairs) await t.send('send arguments with two errors', asked);
  },
  requirements: [
    rule(
      must(
        'arguments.issues-listed',
        `In a refusal with ${quoted.invalidArguments}, the server MUST send \`issues\` as a non-empty array.`,
        `Error envelopes, tool refusal; Errors, ${refusalCodes.invalidArguments}`,
      ),
      {
        judgesRefusals: true,
        applies: (exchange) => isRefusal(exchange, refusalCodes.invalidArguments),
        expect: (exchange) => {
          const { issues } = body(exchange);
          if (Array.isArray(issues) && issues.length > 0) return undefined;
          return {
            at: { member: ['issues'] },
            got: issues,
            expected: 'issues to be a non-empty array',
            actual: `issues ${brief(issues)}`,
            hint: 'In issues, list each invalid field and why it is invalid, so that clients know what to correct.',
          };
        },
      },
    ),
    rule(
      should(
        'arguments.all-fields-named',
        'The server SHOULD name every invalid field in `issues`.',
        `Errors, ${refusalCodes.invalidArguments}`,
      ),
      {
        judgesRefusals: true,
        // A server may use this code for an inaccessible workspace too, before it checks the other arguments.
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
          // A tool that changes something may accept the unnamed field. Another requirement covers that error.
          const isNamed = !readsOnly(exchange) && unnamed.includes(undefined);
          return isNamed ? undefined : first(...unnamed);
        },
      },
    ),
  ],
});
