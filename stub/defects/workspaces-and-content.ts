import { refusal } from '../answers.ts';
import { answering, around, aroundTool, body, type Deviation, fields, result } from './patches.ts';

/** Deviations of the workspace that is worked in, and of the tools that read or ask for content. */
export const contentDefects = {
  'argument-ignored-by-knowledge-search': around('resolveWorkspace', (resolve) => (call) => {
    const { workspace, ...others } = call.args;
    if (call.tool === 'knowledge.search' && workspace !== undefined && call.key?.storedDefault !== null) {
      call.args = others;
    }
    return resolve(call);
  }),
  'pin-called-default': answering(
    result(),
    body((given) => {
      const { working_in } = given;
      if (typeof working_in !== 'object' || working_in === null || !('source' in working_in)) return given;
      return working_in.source === 'key-pin'
        ? { ...given, working_in: { ...working_in, source: 'stored-default' } }
        : given;
    }),
  ),
  'first-workspace-picked-for-connections': around('resolveWorkspace', (resolve) => (call) => {
    const answer = resolve(call);
    const [first] = call.key?.reach ?? [];
    if (call.tool !== 'connections.status' || answer?.body.code !== 'workspace_ambiguous') return answer;
    if (first !== undefined) call.place = { workspace: call.state.workspace(first), source: 'stored-default' };
    return undefined;
  }),
  'title-of-200-refused': aroundTool('content.create_request', (create) => (call) => {
    if ((call.args.title ?? '').length < 200) return create(call);
    const issues = [{ path: 'title', message: 'expected fewer than 200 characters' }];
    return refusal('tool', { code: 'invalid_arguments', message: 'This title is too long.', issues });
  }),
  'scheduled-for-without-zone': answering(
    result('content.create_request'),
    body((given) => ({ ...given, scheduled_for: String(given.scheduled_for).replace('Z', '') })),
  ),
  'days-backwards': answering(
    result('schedule.read'),
    body((given) => ({ ...given, days: Array.isArray(given.days) ? given.days.toReversed() : given.days })),
  ),
  'status-of-nowhere': answering(result('content.status'), fields({ working_in: undefined })),
  'pinned-in-words': answering(
    result('library.search'),
    body((given) => ({
      ...given,
      items: Array.isArray(given.items)
        ? given.items.map((item) => ({ ...item, pinned: item.pinned ? 'yes' : 'no' }))
        : given.items,
    })),
  ),
  'item-found-without-kind': around('checkArguments', (check) => (call) => {
    if (call.tool === 'library.get' && call.body.kind === undefined && call.key !== undefined) {
      const slug = typeof call.body.workspace === 'string' ? call.body.workspace : call.key.storedDefault;
      const known = slug !== null && call.key.reach.includes(slug);
      const items = known ? call.state.workspace(slug).content.library : [];
      const found = items.find(({ listed }) => listed.id === call.body.id);
      if (found !== undefined) call.body = { ...call.body, kind: found.listed.kind };
    }
    return check(call);
  }),
  'query-trimmed': answering(
    result('knowledge.search'),
    body((given) => ({ ...given, query: String(given.query).trim() })),
  ),
  'empty-group-left-out': answering(result('connections.status'), fields({ needs_attention: undefined })),
  'balance-as-text': answering(
    result('credits.balance'),
    body((given) => ({ ...given, balance: String(given.balance) })),
  ),
} as const satisfies Readonly<Record<string, Deviation>>;
