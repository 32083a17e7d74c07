import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { createOnSomeDay, creating, needs, onlyTitled, titled } from '../requests/content.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

function neverShown(requirement: Requirement, of: 'workspace' | 'account', hint: string): Rule {
  return rule(requirement, {
    applies: (exchange, seen) =>
      seen.created.shownElsewhere(exchange, of) !== undefined || seen.created.isControlled(exchange, of),
    expect: (exchange, seen) => {
      const piece = seen.created.shownElsewhere(exchange, of);
      if (piece === undefined) return undefined;
      const where = of === 'account' ? 'another account' : `the workspace ${brief(body(piece.exchange).workspace)}`;
      return {
        expected: `no piece of ${where} in a result of the workspace ${brief(body(exchange).workspace)}`,
        actual: `the piece ${piece.mark}, which was created in ${where}`,
        hint,
        exchanges: [piece.exchange, exchange],
      };
    },
  });
}

/** Returns the last day of the current week, in which the schedule shows a piece, if that day is in the future. */
function dayThisWeek(schedule: Completed): Args {
  const { days } = body(schedule);
  const last: unknown = Array.isArray(days) ? days.at(-1) : undefined;
  const isComing = typeof last === 'string' && Date.parse(last) > schedule.receivedAt + schedule.clockMoved;
  return isComing ? { day: last } : {};
}

/** Reads everything that may show pieces, in one place. */
async function readPieces(t: Steps, step: string, how: Partial<StoryRequest>): Promise<void> {
  const read = (tool: string, args: Args = {}) => t.send(step, { ...how, tool, args: { ...how.args, ...args } });
  await read('content.status');
  await read('schedule.read');
  // Words of all titles.
  await read('library.search', { query: titled(t, 'the only piece') });
}

export const isolatedPieces = story('pieces of several workspaces and accounts', {
  needs,
  steps: async (t) => {
    const { otherWorkspace, otherAccountWorkspace } = t.deployment;
    const places: [name: string, how: Partial<StoryRequest> & { args: Args }][] = [['here', { args: t.here() }]];
    if (otherWorkspace !== undefined) places.push(['elsewhere', { args: { workspace: otherWorkspace } }]);
    if (t.has('otherAccount')) {
      const args = otherAccountWorkspace === undefined ? {} : { workspace: otherAccountWorkspace };
      places.push(['abroad', { as: 'otherAccount', args }]);
    }
    if (places.length === 1) t.setting('otherWorkspace');
    for (const [name, { args, ...how }] of places) {
      const schedule = await t.send('read the schedule', { ...how, tool: 'schedule.read', args });
      const change = { workspace: undefined, ...args, title: onlyTitled(t, name) };
      const step = `create a piece ${name}`;
      const reply = await t.send(step, creating(t, { ...change, ...dayThisWeek(schedule) }, how));
      if (!isSuccess(reply)) await createOnSomeDay(t, step, change, how);
    }
    for (const [name, how] of [...places, ...places.slice(0, 1)]) {
      await readPieces(t, `read the pieces ${name}`, how);
    }
  },
  requirements: [
    neverShown(
      must(
        'content-requests.stays-in-workspace',
        'The server MUST NOT show a piece of one workspace in the results of another workspace.',
        'What the service does, rules 2 and 3',
        'data-isolation',
      ),
      'workspace',
      'Select pieces by the workspace of the request, and store a piece in the workspace that the response names.',
    ),
    neverShown(
      must(
        'content-requests.stays-in-account',
        'The server MUST NOT show a piece of one account to another account.',
        'What the service does, rules 2 and 3; Authentication, 3',
        'data-isolation',
      ),
      'account',
      'Select pieces by the account of the key, too: look up the workspace within the account.',
    ),
  ],
});
