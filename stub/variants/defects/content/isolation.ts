import type { Call, ToolCall } from '../../../server/behavior.ts';
import type { WorkspaceState } from '../../../server/state/state.ts';
import { refusing } from '../../changes/arguments.ts';
import { aroundTool, changing, crash, field, fields, result } from '../../changes/responses.ts';
import { type Calls, instead } from '../../changes/steps.ts';
import { defect } from '../defect.ts';

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

const crashing = (when: Calls) => instead('checkArguments', when, crash);

/** Defects that show or store content in the wrong workspace or account. */
export const isolationDefects = {
  'schedule-of-every-workspace': defect('shows the requested pieces of all workspaces of the account in the schedule')
    .breaks('content-requests.stays-in-workspace')
    .by(aroundTool('schedule.read', (read) => (call) => read(withPieces(call, ofAccount(call))))),
  'status-of-every-workspace': defect('counts and lists the requested pieces of all workspaces of the account')
    .breaks('content-requests.stays-in-workspace')
    .by(aroundTool('content.status', (read) => (call) => read(withPieces(call, ofAccount(call))))),
  'status-of-every-account': defect('counts and lists the requested pieces of all accounts')
    .breaks('content-requests.stays-in-account', 'content-requests.stays-in-workspace')
    .by(aroundTool('content.status', (read) => (call) => read(withPieces(call, ofEveryAccount(call))))),
  'piece-stored-in-the-first-workspace': defect('stores each piece in the first workspace, whatever the result names')
    .breaks('content-requests.stays-in-workspace')
    .by(
      aroundTool('content.create_request', (create) => (call) => {
        const [first = call.place.workspace] = ofAccount(call);
        const { workspace } = call.place;
        return create({ ...call, place: { ...call.place, workspace: { ...workspace, requested: first.requested } } });
      }),
    ),
  'items-of-every-workspace': defect('returns items of all workspaces of the account with library.get')
    .breaks('library.items-stay-in-workspace')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const response = get(call);
        if (response.body.ok === true) return response;
        const generated = ofAccount(call).flatMap((workspace) => [
          ...workspace.generated,
          ...workspace.content.library,
        ]);
        return get({ ...call, place: { ...call.place, workspace: { ...call.place.workspace, generated } } });
      }),
    ),
  'items-of-every-account': defect('returns items of all accounts with library.get')
    .breaks('library.items-stay-in-account', 'library.items-stay-in-workspace')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const response = get(call);
        if (response.body.ok === true) return response;
        const all = ofEveryAccount(call).flatMap((workspace) => [...workspace.generated, ...workspace.content.library]);
        const workspace = { ...call.place.workspace, generated: all };
        return get({ ...call, place: { ...call.place, workspace } });
      }),
    ),
  'kind-ignored': defect('looks up an item by its ID, whatever the kind')
    .breaks('library.kind-decides')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const { generated, content } = call.place.workspace;
        const item = [...generated, ...content.library].find(({ listed }) => listed.id === call.args.id);
        return get(item === undefined ? call : { ...call, args: { ...call.args, kind: item.listed.kind } });
      }),
    ),
  'total-one-too-many': defect('counts an item in the total that no page contains')
    .breaks('library.total-counts-items')
    .by(
      changing(
        result('library.search'),
        field('total', (total) => Number(total) + 1),
        fields({ truncated: true }),
      ),
    ),
  'title-counted-in-bytes': defect(`counts the bytes of a title in UTF-8 instead of its characters`)
    .breaks('content-requests.title-longest')
    .by(refusing('title', (title) => Buffer.byteLength(String(title ?? '')) > 200, 'content.create_request')),
  'quotation-marks-removed': defect('removes quotation marks around the query that knowledge.search echoes')
    .breaks('knowledge.query-echoed')
    .by(
      changing(
        result('knowledge.search'),
        field('query', (query) => String(query).replace(/^"(.*)"$/s, '$1')),
      ),
    ),
  'crash-on-half-a-pair': defect('returns a 500 for a text with half of a surrogate pair')
    .breaks('envelopes.no-server-error')
    .by(crashing(({ body }) => Object.values(body).some((text) => typeof text === 'string' && !text.isWellFormed()))),
  'crash-on-long-texts': defect('returns a 500 for a text of more than 60,000 characters')
    .breaks('envelopes.no-server-error')
    .by(crashing(({ body }) => Object.values(body).some((text) => String(text).length > 60_000))),
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
        const held = id === undefined ? undefined : call.state.confirmations.find(id);
        if (held !== undefined) Object.assign(held.request, { brief });
        return generate(call);
      }),
    ),
  'connection-closed-on-every-hit': defect('closes the connection without a response if knowledge.search has a hit')
    .breaks('envelopes.answers-every-request')
    .by(changing(result('knowledge.search'), (response) => ({ ...response, delivery: { cutAtBytes: -1 } }))),
};
