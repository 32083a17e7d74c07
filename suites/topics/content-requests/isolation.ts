import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { type Judging, row } from '../../model/row.ts';
import { onlyTitled, wordsOfOnlyTitles } from '../../situations/created.ts';
import { isDispatch } from '../../situations/ids.ts';
import { createOnSomeDay, creating, needs } from '../requests/content.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

const neverShown = (of: 'workspace' | 'account', hint: string): Judging => ({
  applies: (exchange, seen) => {
    const { shown, isControlled = false } = seen.created.elsewhere(exchange, of) ?? {};
    return shown !== undefined || isControlled;
  },
  expect: (exchange, seen) => {
    const piece = seen.created.elsewhere(exchange, of)?.shown;
    if (piece === undefined) return undefined;
    const where = of === 'account' ? 'another account' : `the workspace ${brief(body(piece.exchange).workspace)}`;
    const what = isDispatch(piece.exchange) ? 'image' : 'piece';
    return {
      at: 'exchanges',
      got: piece.mark,
      expected: `no ${what} of ${where} in a result of the workspace ${brief(body(exchange).workspace)}`,
      actual: `the ${what} ${piece.mark}, which was created in ${where}`,
      hint,
      exchanges: [piece.exchange, exchange],
    };
  },
});

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
  await read('library.search', { query: wordsOfOnlyTitles(t.deployment.runId) });
}

interface Place {
  readonly name: string;
  readonly how: Partial<StoryRequest> & { readonly args: Args };
}

/** Creates a piece in each place, and then looks for the pieces of the others in each. */
async function createAndRead(t: Steps, ...places: readonly Place[]): Promise<void> {
  for (const { name, how } of places) {
    const { args, ...sender } = how;
    const schedule = await t.send('read the schedule', { ...sender, tool: 'schedule.read', args });
    const change = { workspace: undefined, ...args, title: onlyTitled(t.deployment.runId, name) };
    const step = `create a piece ${name}`;
    const reply = await t.send(step, creating(t, { ...change, ...dayThisWeek(schedule) }, sender));
    if (!isSuccess(reply)) await createOnSomeDay(t, step, change, sender);
  }
  for (const { name, how } of [...places, ...places.slice(0, 1)]) await readPieces(t, `read the pieces ${name}`, how);
}

export const piecesOfWorkspaces = story('pieces of two workspaces', {
  needs: { ...needs, settings: ['workspace', 'otherWorkspace'] },
  steps: (t) =>
    createAndRead(
      t,
      { name: 'here', how: { args: t.here() } },
      { name: 'elsewhere', how: { args: { workspace: t.setting('otherWorkspace') } } },
    ),
  requirements: [
    row('content-requests.stays-in-workspace', {
      must: 'The server MUST NOT show a piece of one workspace in the results of another workspace.',
      source: 'What the service does, rules 2 and 3',
      severity: 'data-isolation',
      ...neverShown(
        'workspace',
        'Select pieces by the workspace of the request, and store a piece in the workspace that the response names.',
      ),
    }),
  ],
});

export const piecesOfAccounts = story('pieces of two accounts', {
  needs: { ...needs, roles: ['primary', 'otherAccount'] },
  steps: async (t) => {
    const { otherAccountWorkspace } = t.deployment;
    const args = otherAccountWorkspace === undefined ? {} : { workspace: otherAccountWorkspace };
    await createAndRead(
      t,
      { name: 'of ours', how: { args: t.here() } },
      { name: 'of theirs', how: { as: 'otherAccount', args } },
    );
  },
  requirements: [
    row('content-requests.stays-in-account', {
      must: 'The server MUST NOT show a piece or an image of one account to another account.',
      source: 'What the service does, rules 2 and 3; Authentication, 3',
      severity: 'data-isolation',
      ...neverShown(
        'account',
        'Select pieces by the account of the key, too: look up the workspace within the account.',
      ),
    }),
  ],
});
