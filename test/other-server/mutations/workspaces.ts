import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Answer } from '../answer.ts';
import type { World } from '../world.ts';
import { answers, around, type Call, inside, isAbout, isText, requests, withArgs, without } from './mutation.ts';

const toFirst = ({ received, args, key }: Call) =>
  key?.reaches[0] ? withArgs(received, { ...args, workspace: key.reaches[0].slug }) : undefined;

const isUnknown = ({ args, key }: Call) =>
  isText(args.workspace) && args.workspace !== '' && !key?.reaches.some(({ slug }) => slug === args.workspace);

/** Lets a tool ignore one rung during a request. */
const forgetting = (description: string, rung: 'pin' | 'fallback', tool: string) =>
  around(description, () => async (call, next) => {
    const { key } = call;
    const kept = key?.[rung];
    if (!key || !kept || call.tool !== tool) return next(call.received);
    delete key[rung];
    const answer = next(call.received);
    key[rung] = kept;
    return answer;
  });

const sourceOf = (answer: Answer, from: string, to: string) => {
  const workingIn = inside(answer.body, 'working_in');
  if (answer.body.ok === true && workingIn.source === from) workingIn.source = to;
};

const openingAll = (world: World, call: Call, next: (received: Call['received']) => Promise<Answer>) => {
  const { key } = call;
  if (!key) return next(call.received);
  const kept = key.reaches;
  key.reaches = [...world.workspaces.values()];
  const answer = next(call.received);
  key.reaches = kept;
  return answer;
};

/** Deviations in how the workspace is resolved and named. */
export const workspaceMutations = {
  'search-runs-in-the-first': requests('library.search runs in the first workspace, whatever is asked for', (call) =>
    call.tool === 'library.search' && isText(call.args.workspace) && !isUnknown(call) ? toFirst(call) : undefined,
  ),
  'unknown-falls-back-in-knowledge': requests('knowledge.search leaves out a workspace it does not know', (call) =>
    call.tool === 'knowledge.search' && isUnknown(call)
      ? withArgs(call.received, without(call.args, 'workspace'))
      : undefined,
  ),
  'unknown-is-the-first-in-status': requests('content.status takes the first workspace for an unknown one', (call) =>
    call.tool === 'content.status' && isUnknown(call) ? toFirst(call) : undefined,
  ),
  'unknown-is-made-up-in-schedule': around(
    'schedule.read makes up a workspace it does not know',
    () => async (call, next) => {
      const first = call.key?.reaches[0];
      const answer = await next(call.received);
      if (call.tool !== 'schedule.read' || !isUnknown(call) || !first || !isText(call.args.workspace)) return answer;
      const result = await next(withArgs(call.received, { workspace: first.slug }));
      return { ...result, body: { ...result.body, workspace: call.args.workspace } };
    },
  ),
  'foreign-workspace-is-searched': around(
    'library.search serves a workspace of another account',
    (world) => async (call, next) =>
      call.tool === 'library.search' && isText(call.args.workspace)
        ? openingAll(world, call, next)
        : next(call.received),
  ),
  'working-in-stale-in-schedule': around(
    'schedule.read has the workspace of the call before in working_in',
    () => {
      const last = new Map<string, string>();
      return async (call, next) => {
        const answer = await next(call.received);
        const { workspace } = answer.body;
        const before = last.get(call.key?.secret ?? '');
        if (isText(workspace)) last.set(call.key?.secret ?? '', workspace);
        const stale = call.tool === 'schedule.read' && answer.body.ok === true && before !== undefined;
        if (stale) inside(answer.body, 'working_in').workspace = before;
        return answer;
      };
    },
    { minimalWorkingIn: false },
  ),
  'working-in-absent-in-knowledge': answers('knowledge.search has no working_in', (answer, { tool }) => {
    if (tool === 'knowledge.search' && answer.body.ok === true) delete answer.body.working_in;
  }),
  'working-in-text-in-status': answers('content.status has a string as working_in', (answer, { tool }) => {
    if (tool === 'content.status' && answer.body.ok === true) answer.body.working_in = 'here';
  }),
  'note-absent-in-library-get': answers('library.get has no note in working_in', (answer, { tool }) => {
    if (tool === 'library.get') delete inside(answer.body, 'working_in').note;
  }),
  'label-null-in-connections': answers('connections.status has label: null in working_in', (answer, { tool }) => {
    if (tool === 'connections.status' && answer.body.ok === true) inside(answer.body, 'working_in').label = null;
  }),
  'note-absent-for-defaults': answers('working_in has no note when the default was used', (answer, { args, key }) => {
    if (key?.fallback && args.workspace === undefined) delete inside(answer.body, 'working_in').note;
  }),
  'workspace-absent-in-connections': answers('connections.status has no workspace', (answer, { tool }) => {
    if (tool === 'connections.status' && answer.body.ok === true) delete answer.body.workspace;
  }),
  'workspace-absent-on-dispatched': answers('the dispatched reply has no workspace', (answer) => {
    if (answer.body.status === 'dispatched') delete answer.body.workspace;
  }),
  'workspace-is-the-label-in-schedule': answers('schedule.read has the label as workspace', (answer, { tool }) => {
    const { label = '' } = inside(answer.body, 'working_in');
    if (tool === 'schedule.read' && answer.body.ok === true) answer.body.workspace = label;
  }),
  'source-of-default-is-sole': answers('the source of a default is sole-reachable', (answer) => {
    sourceOf(answer, 'stored-default', 'sole-reachable');
  }),
  'source-of-argument-is-default-on-create': answers(
    'content.create_request names the wrong rung for an argument',
    (answer, { tool }) => {
      if (tool === 'content.create_request') sourceOf(answer, 'call-override', 'stored-default');
    },
  ),
  'source-of-argument-is-pin-on-proposals': answers(
    'a proposal names the wrong rung for an argument',
    (answer, { tool }) => {
      if (tool === 'images.generate') sourceOf(answer, 'call-override', 'key-pin');
    },
  ),
  'source-invented-in-schedule': answers(
    'schedule.read has a source that is none of the four',
    (answer, { tool }) => {
      if (tool === 'schedule.read') sourceOf(answer, 'call-override', 'argument');
    },
    { minimalWorkingIn: false },
  ),
  'pin-forgotten-in-images': forgetting('images.generate does not know the pin of a key', 'pin', 'images.generate'),
  'pin-forgotten-in-schedule': forgetting('schedule.read does not know the pin of a key', 'pin', 'schedule.read'),
  'sole-is-ambiguous-in-library': around(
    'library.search does not see that there is only one workspace',
    () => async (call, next) => {
      const { key } = call;
      const [only] = key?.reaches ?? [];
      const sole = key?.role === 'sole' && only && call.tool === 'library.search' && call.args.workspace === undefined;
      if (!sole) return next(call.received);
      const kept = key.reaches;
      key.reaches = [only, only];
      const answer = next(call.received);
      key.reaches = kept;
      return answer;
    },
  ),
  'ambiguous-lists-another': answers(
    `${refusalCodes.workspaceAmbiguous} lists a slug that the key cannot pass`,
    (answer) => {
      const { workspaces } = answer.body;
      if (answer.body.code === refusalCodes.workspaceAmbiguous && Array.isArray(workspaces))
        workspaces.push('glasshouse');
    },
  ),
  'ambiguous-lists-nothing-in-schedule': answers(
    `${refusalCodes.workspaceAmbiguous} of schedule.read lists nothing`,
    (answer, { tool }) => {
      if (tool === 'schedule.read' && answer.body.code === refusalCodes.workspaceAmbiguous)
        delete answer.body.workspaces;
    },
  ),
  'ambiguous-renamed-in-library-get': answers('library.get says ambiguous_workspace', (answer, { tool }) => {
    const ambiguous = answer.body.code === refusalCodes.workspaceAmbiguous;
    if (ambiguous && tool === 'library.get') answer.body.code = 'ambiguous_workspace';
  }),
  'ambiguous-is-409-in-images': answers(
    `${refusalCodes.workspaceAmbiguous} of images.generate is HTTP 409`,
    (answer, { tool }) => {
      if (answer.body.code === refusalCodes.workspaceAmbiguous && tool === 'images.generate') answer.status = 409;
    },
  ),
  'empty-slug-is-none-in-schedule': requests(
    'schedule.read takes an empty workspace for none',
    ({ tool, args, received }) =>
      tool === 'schedule.read' && args.workspace === '' ? withArgs(received, without(args, 'workspace')) : undefined,
  ),
  'empty-slug-is-the-first': requests('an empty workspace is the first one', (call) =>
    call.args.workspace === '' ? toFirst(call) : undefined,
  ),
  'empty-slug-is-unreachable': requests('an empty workspace is refused as an unreachable one', ({ args, received }) =>
    args.workspace === '' ? withArgs(received, { ...args, workspace: ' ' }) : undefined,
  ),
  'empty-slug-is-not-named': answers('the issue about an empty workspace does not name it', (answer) => {
    if (isAbout(answer, 'workspace')) answer.body.issues = [{ path: '/slug', message: 'Must not be empty.' }];
  }),
};
