import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Source } from '../../../fixtures/contract/enums.ts';
import { body, type Completed, elements, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { check, is, success } from '../../model/answers.ts';
import { byOthers } from '../../model/finding.ts';
import { type Judging, row, sameRequest } from '../../model/rule.ts';
import { type Created, onlyTitled, type Strayed, wordsOfOnlyTitles } from '../../model/world/created.ts';
import { declinedWith } from '../../model/world/house-rules.ts';
import { isDispatch } from '../../model/world/ids.ts';
import { isValid } from '../../model/world/violations.ts';
import { createOnSomeDay, creating } from '../requests/content.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { story, toWrite } from '../story.ts';
import { isRequest, tool } from './titles.ts';

const neverShown = (of: 'workspace' | 'account', hint: string): Judging<Created | Strayed | true> => ({
  applies: (exchange, seen) => seen.created.elsewhere(exchange, of),
  expect: (exchange, piece) => {
    if (piece === true) return undefined;
    if ('there' in piece) {
      return {
        at: 'exchanges',
        expected: `the image ${piece.mark} in its workspace ${brief(body(piece.exchange).workspace)}`,
        actual: `no such image there, but in the workspace ${brief(body(piece.there).workspace)}`,
        exchanges: [piece.exchange, piece.there, exchange],
      };
    }
    const where = of === 'account' ? 'another account' : `the workspace ${brief(body(piece.exchange).workspace)}`;
    const what = isDispatch(piece.exchange) ? 'image' : 'piece';
    return {
      at: 'exchanges',
      got: piece.mark,
      expected: `no ${what} of ${where} in a result of the workspace ${brief(body(exchange).workspace)}`,
      actual: `the ${what} ${piece.mark}, which was created in ${where}`,
      exchanges: [piece.exchange, exchange],
    };
  },
  hint,
});

/** Returns the last day of the current week, in which the schedule shows a piece, if that day is in the future. */
function dayThisWeek(schedule: Completed): Args {
  const last = elements(schedule, 'days').at(-1);
  const isComing = typeof last === 'string' && Date.parse(last) > schedule.receivedAt + schedule.clockMoved;
  return isComing ? { day: last } : {};
}

/** A workspace, and the key that names it; default: `primary`. */
type From = Pick<StoryRequest, 'as' | 'args'>;

async function readPieces(t: Steps, step: string, from: From): Promise<void> {
  const read = (tool: string, args: Args = {}) => t.send(step, { ...from, tool, args: { ...from.args, ...args } });
  await read('content.status');
  await read('schedule.read');
  await read('library.search', { query: wordsOfOnlyTitles(t.deployment.runId) });
}

/** Creates a piece in each place, and then looks for the pieces of the others in each. */
export const separatePieces = story('pieces of several workspaces and accounts', {
  needs: toWrite,
  steps: async (t) => {
    const { otherWorkspace, otherAccountWorkspace } = t.deployment;
    const places = new Map<string, From>([['here', { args: t.here() }]]);
    await t.part(async () => {
      places.set('elsewhere', { args: { workspace: t.setting('otherWorkspace') } });
    });
    await t.part(async () => {
      t.key('otherAccount');
      places.set('of theirs', { as: 'otherAccount', args: { workspace: otherAccountWorkspace } });
    });
    if (places.size === 1) return;
    const all = [...places];
    const days = await Promise.all(
      all.map(async ([, from]) =>
        dayThisWeek(await t.sendOnce('read the schedule', { tool: 'schedule.read', ...from })),
      ),
    );
    // At once, because a server may keep the workspace of a request where another request changes it.
    const create = async ([name, { args = {}, ...sender }]: (typeof all)[number], index: number) => {
      const change = { workspace: undefined, ...args, title: onlyTitled(t.deployment.runId, name) };
      const step = `create a piece ${name}`;
      const reply = await t.send(step, creating(t, { ...change, ...days[index] }, sender));
      if (!isSuccess(reply)) await createOnSomeDay(t, step, change, sender);
    };
    await Promise.all(all.map(create));
    for (const [name, from] of [...all, ...all.slice(0, 1)]) await readPieces(t, `read the pieces ${name}`, from);
    if (otherWorkspace === undefined) return;
    // Another rung may select the pieces of the account, or those of the default workspace.
    for (const as of t.present(['sole', 'pinned', 'defaulted'])) {
      const args = as === 'defaulted' ? { workspace: otherWorkspace } : {};
      await readPieces(t, `read the pieces as ${as}`, { as, args });
    }
  },
  requirements: [
    row('content-requests.stays-in-workspace', {
      must: 'The server MUST NOT show a piece or an image of one workspace in the results of another workspace.',
      source: 'What the service does, rules 2 and 3',
      severity: 'data-isolation',
      ...neverShown(
        'workspace',
        'Select pieces by the workspace of the request, and store a piece in the workspace that the response names.',
      ),
    }),
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

const rungs: Readonly<Record<string, Source>> = {
  pinned: 'key-pin',
  defaulted: 'stored-default',
  sole: 'sole-reachable',
};

export const sourceOfEachRung = row('content-requests.source-of-each-rung', {
  must: 'The server MUST say in `source` how the workspace was selected: pin, stored default or only reachable one.',
  source: 'working_in object; Authentication, 6',
  applies: (exchange) =>
    isRequest(exchange) &&
    isValid(exchange) &&
    exchange.sender.role !== null &&
    Object.hasOwn(rungs, exchange.sender.role) &&
    exchange.request.args?.workspace === undefined,
  // The permissions of the key's holder are unknown: a refusal counts only if the request succeeds with a
  // workspace.
  control: (exchange, seen) => {
    const resolved = isSuccess(exchange) || isRefusal(exchange, refusalCodes.workspaceAmbiguous);
    return resolved || sameRequest(exchange, seen, { except: ['workspace'] });
  },
  expect: (exchange) => {
    const source = rungs[String(exchange.sender.role)];
    const finding = check([success, is('working_in.source', source)], exchange);
    // A service may decline occasional requests by its own rule, such as every twentieth.
    return finding && declinedWith(exchange) !== undefined ? { ...finding, refutable: byOthers } : finding;
  },
  hint: ({ sender }) => `Check how ${tool} resolves the workspace of the key in the role '${sender.role}'.`,
});
