import { limits } from '../../../../fixtures/contract/limits.ts';
import type { Call, ToolCall } from '../../../../stub/server/behavior.ts';
import type { WorkspaceState } from '../../../../stub/server/state/state.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { dispatchMs } from '../../changes/confirmations.ts';
import { afterTool, aroundTool } from '../../changes/responses.ts';
import { refusing } from '../../changes/steps.ts';

const { most } = limits.title;

type Scoped = ToolCall<'content.status' | 'schedule.read' | 'library.get' | 'content.create_request'>;

const ofAccount = ({ state, account }: Pick<Scoped, 'state' | 'account'>): WorkspaceState[] =>
  account.workspaces.map((slug) => state.workspace(slug));

const ofEveryAccount = ({ state }: Pick<Call, 'state'>): WorkspaceState[] =>
  [...state.accounts.values()].flatMap(({ workspaces }) => workspaces.map((slug) => state.workspace(slug)));

/** The workspace of a request, with the pieces that were created in others, too. */
const withPieces = <C extends Scoped>(call: C, others: readonly WorkspaceState[]): C => ({
  ...call,
  place: {
    ...call.place,
    workspace: { ...call.place.workspace, requested: others.flatMap(({ requested }) => requested) },
  },
});

/** Looks up items that the workspace lacks in other workspaces. */
const findingItemsOf = (workspacesOf: (call: Scoped) => WorkspaceState[]): Deviation =>
  aroundTool('library.get', (get) => (call) => {
    const response = get(call);
    if (response.body.ok === true) return response;
    const generated = workspacesOf(call).flatMap((each) => [...each.generated, ...each.content.library]);
    return get({ ...call, place: { ...call.place, workspace: { ...call.place.workspace, generated } } });
  });

/** Defects that show or store content in the wrong workspace or account. */
export const isolationDefects = {
  'schedule-of-every-workspace': defect('shows the requested pieces of all workspaces of the account in the schedule')
    .breaks('content-requests.stays-in-workspace')
    .by(aroundTool('schedule.read', (read) => (call) => read(withPieces(call, ofAccount(call))))),
  'status-of-the-account-for-one-workspace': defect(
    'counts and lists the requested pieces of all workspaces of the account for a key that reaches one',
  )
    .breaks('content-requests.stays-in-workspace')
    .by(
      aroundTool(
        'content.status',
        (read) => (call) => read(call.place.source === 'sole-reachable' ? withPieces(call, ofAccount(call)) : call),
      ),
    ),
  'status-of-every-account': defect('counts and lists the requested pieces of all accounts')
    .breaks('content-requests.stays-in-account', 'content-requests.stays-in-workspace')
    .by(aroundTool('content.status', (read) => (call) => read(withPieces(call, ofEveryAccount(call))))),
  'items-of-every-workspace': defect('returns items of all workspaces of the account with library.get')
    .breaks('library.items-stay-in-workspace')
    .by(findingItemsOf(ofAccount)),
  'items-of-every-account': defect('returns items of all accounts with library.get')
    .breaks('library.items-stay-in-account', 'library.items-stay-in-workspace')
    .by(findingItemsOf(ofEveryAccount)),
  'pieces-stored-in-the-default-of-one-key': defect(
    'stores the pieces of one key in its default workspace, even if the response names another one',
  )
    .breaks('content-requests.stays-in-workspace')
    .by(
      afterTool('content.create_request', ({ body }, { state, key, place }) => {
        if (body.ok !== true || key.role !== 'defaulted' || key.storedDefault === null) return;
        state.workspace(key.storedDefault).requested.push(...place.workspace.requested.splice(-1));
      }),
    ),
  'pieces-stored-together': defect('stores pieces that are created at once in the same workspace of their account')
    .breaks('content-requests.stays-in-workspace')
    .by((behavior) => {
      const latest = new Map<string, WorkspaceState>();
      return afterTool('content.create_request', ({ body }, { account, place: { workspace } }) => {
        if (body.ok !== true) return;
        latest.get(account.id)?.requested.push(...workspace.requested.splice(-1));
        latest.set(account.id, workspace);
        setTimeout(() => latest.delete(account.id), dispatchMs);
      })(behavior);
    }),
  'images-stored-in-the-first-workspace': defect('stores all images of an account in its first workspace')
    .breaks('content-requests.stays-in-workspace')
    .by(
      afterTool('images.generate', ({ body }, call) => {
        const [first] = ofAccount(call);
        const { generated } = call.place.workspace;
        if (body.status === 'dispatched' && first?.generated !== generated)
          first?.generated.unshift(...generated.splice(0));
      }),
    ),
  'search-shows-images-of-the-first-workspace': defect('searches the images of the first workspace in every workspace')
    .breaks(
      'library.found-can-be-got',
      'workspaces.argument-honoured-every-tool',
      'content-requests.stays-in-workspace',
    )
    .by(
      aroundTool('library.search', (search) => (call) => {
        const { generated = [] } = ofAccount(call)[0] ?? {};
        return search({ ...call, place: { ...call.place, workspace: { ...call.place.workspace, generated } } });
      }),
    ),
  'search-cached-without-account': defect('caches the result of a search for words, for all workspaces and accounts')
    .breaks('library.found-can-be-got', 'workspaces.argument-honoured-every-tool')
    .by((behavior) => {
      const kept = new Map<unknown, object>();
      return afterTool('library.search', ({ body }, { args: { query } }) => {
        const { items, total, truncated } = body;
        if (query === '' || !Array.isArray(items)) return;
        if (items.length > 0 && !kept.has(query)) kept.set(query, { items, total, truncated });
        Object.assign(body, kept.get(query));
      })(behavior);
    }),
  'kind-ignored': defect('looks up an item by its ID, whatever the kind')
    .breaks('library.kind-decides')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const { generated, content } = call.place.workspace;
        const item = [...generated, ...content.library].find(({ id }) => id === call.args.id);
        return get(item === undefined ? call : { ...call, args: { ...call.args, kind: item.kind } });
      }),
    ),
  'title-counted-in-bytes': defect(`counts the bytes of a title in UTF-8 instead of its characters`)
    .breaks('content-requests.title-longest')
    .by(refusing('title', (title) => Buffer.byteLength(String(title ?? '')) > most, 'content.create_request')),
  'update-of-the-balance-lost': defect('charges only the first of several dispatches without a proposal between them')
    .breaks('confirmations.charges-add-up')
    .by((behavior) => {
      let proposals = -1;
      return aroundTool('images.generate', (generate) => (call) => {
        const { credits } = call.account;
        const response = generate(call);
        if (response.body.status !== 'dispatched') return response;
        if (proposals === call.state.tally.proposals) call.account.credits = credits;
        proposals = call.state.tally.proposals;
        return response;
      })(behavior);
    }),
  'brief-of-the-second-call': defect('creates images for the brief of the confirmation instead of the proposed one')
    .breaks('confirmations.changed-brief')
    .by(
      aroundTool('images.generate', (generate) => (call) => {
        const { confirmation_id: id, brief } = call.args;
        const held = id === undefined ? undefined : call.state.confirmations.get(id);
        if (held !== undefined) Object.assign(held.request, { brief });
        return generate(call);
      }),
    ),
};
