import type { Source, ToolName } from '../../fixtures/contract/tools.ts';
import type { workspaceDefects as data } from '../../fixtures/defects/workspaces.ts';
import { type Answer, refusal } from '../answers.ts';
import {
  answering,
  type Body,
  both,
  code,
  type Deviation,
  field,
  fields,
  from,
  inside,
  proposal,
  result,
  sentAs,
  to,
  type When,
} from './patches.ts';
import { accountOf, asked, everySlug, openTo, withoutRung } from './places.ts';
import { around, calls, converting, ignoring, instead, sent, settling } from './steps.ts';

const unreachable = code('workspace_unreachable');

const workingIn = ({ body }: Answer): Body =>
  typeof body.working_in === 'object' && body.working_in !== null ? { ...body.working_in } : {};

/** Results whose workspace was settled by this rung. */
const by =
  (...sources: readonly Source[]): When =>
  (answer) =>
    answer.body.ok === true && sources.some((source) => source === workingIn(answer).source);

/** Tells another source for one rung. */
const calling = (source: Source, other: string): Deviation =>
  answering(by(source), inside('working_in', { source: other }));

/** The default of a key, whatever the call names. */
const ignoresArgument = (tool: ToolName): Deviation =>
  settling((call, key) =>
    calls(tool)(call) && key.storedDefault !== null ? [key.storedDefault, 'stored-default'] : undefined,
  );

/** Any workspace of the account, for one tool. */
const withinAccount = (tool: ToolName): Deviation =>
  settling((call, key) => {
    const slug = asked(call);
    return slug !== undefined && calls(tool)(call) && accountOf(call, key).includes(slug)
      ? [slug, 'call-override']
      : undefined;
  });

/** Deviations of the workspace that is worked in. */
export const workspaceDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'workspace-left-out-by-library-get': answering(result('library.get'), fields({ workspace: undefined })),
  'workspace-as-object': answering(
    result('connections.status'),
    field('workspace', (slug) => ({ slug })),
  ),
  'status-of-nowhere': answering(result('content.status'), fields({ working_in: undefined })),
  'working-in-without-label': answering(result('knowledge.search'), inside('working_in', { label: undefined })),
  'note-null-for-default': answering(by('stored-default'), inside('working_in', { note: null })),
  'working-in-as-text': answering(
    result('schedule.read'),
    field('working_in', () => 'North'),
  ),
  'proposal-of-nowhere': answering(proposal, fields({ working_in: undefined })),
  'working-in-tells-the-default': answering(by('call-override'), (answer, call) =>
    call.key?.storedDefault == null
      ? answer
      : inside('working_in', { workspace: call.key.storedDefault })(answer, call),
  ),
  'working-in-by-name': answering(result('library.search'), (answer, call) =>
    inside('working_in', { workspace: call.place?.workspace.content.name })(answer, call),
  ),
  'source-in-other-words': calling('call-override', 'override'),
  'source-with-underscore': answering(result('content.status'), (answer, call) =>
    inside('working_in', { source: String(workingIn(answer).source).replace('-', '_') })(answer, call),
  ),
  'source-null-on-create': answering(result('content.create_request'), inside('working_in', { source: null })),
  'argument-ignored-by-knowledge-search': ignoresArgument('knowledge.search'),
  'argument-ignored-by-library-get': ignoresArgument('library.get'),
  'argument-sticks': around('runTool', (run) => (call) => {
    if (call.key !== undefined && asked(call) !== undefined && call.key.pin === null) {
      call.key.storedDefault = asked(call) ?? null;
    }
    return run(call);
  }),
  'answer-cached-without-workspace': (rules) => {
    const kept = new Map<string, Answer>();
    return around('runTool', (run) => (call) => {
      if (!calls('connections.status')(call)) return run(call);
      const account = call.key?.account ?? '';
      const answer = kept.get(account) ?? run(call);
      if (answer !== undefined) kept.set(account, answer);
      return answer;
    })(rules);
  },
  'default-named-is-no-override': answering(
    both(by('call-override'), ({ body }, { key }) => body.workspace === key?.storedDefault),
    inside('working_in', { source: 'stored-default' }),
  ),
  'override-called-sole': answering(
    both(by('call-override'), from('schedule.read')),
    inside('working_in', { source: 'sole-reachable' }),
  ),
  'pin-called-default': calling('key-pin', 'stored-default'),
  'pin-ignored-by-library-search': withoutRung('key-pin', 'library.search'),
  'default-ignored-by-content-status': withoutRung('stored-default', 'content.status'),
  'default-called-pin': calling('stored-default', 'key-pin'),
  'sole-workspace-called-default': calling('sole-reachable', 'stored-default'),
  'sole-workspace-ambiguous-to-knowledge': withoutRung('sole-reachable', 'knowledge.search'),
  'slugs-in-any-case': converting('workspace', (slug) => (typeof slug === 'string' ? slug.toLowerCase() : slug)),
  'slugs-trimmed': converting('workspace', (slug) => (typeof slug === 'string' ? slug.trim() : slug)),
  'first-slug-of-a-list': converting('workspace', (slug) => (Array.isArray(slug) ? slug[0] : slug)),
  'unknown-workspace-falls-back-to-pin': settling((call, key) => {
    const unknown = asked(call) !== undefined && !everySlug(call).includes(asked(call) ?? '');
    return unknown && key.pin !== null ? [key.pin, 'key-pin'] : undefined;
  }),
  'items-declined-to-pinned-keys': instead(
    'runTool',
    (call) => calls('library.get')(call) && call.key?.pin != null,
    () => refusal('tool', { code: 'item_not_found', message: 'There is no such item.' }),
  ),
  'unknown-workspace-falls-back': settling((call, key) => {
    const unknown = asked(call) !== undefined && !everySlug(call).includes(asked(call) ?? '');
    return unknown && calls('content.status')(call) && key.storedDefault !== null
      ? [key.storedDefault, 'stored-default']
      : undefined;
  }),
  'unknown-workspace-as-404': answering(
    both(unreachable, (_, call) => !everySlug(call).includes(asked(call) ?? '')),
    sentAs(404),
  ),
  'foreign-workspace-readable': openTo('schedule.read'),
  'foreign-connections-readable': openTo('connections.status'),
  'reach-not-asked-within-account': settling((call, key) => {
    const slug = asked(call);
    return slug !== undefined && accountOf(call, key).includes(slug) ? [slug, 'call-override'] : undefined;
  }),
  'all-workspaces-listed-where-out-of-reach': answering(
    unreachable,
    field('workspaces', (_, call) => everySlug(call)),
  ),
  'asked-workspace-listed-where-out-of-reach': answering(
    unreachable,
    field('workspaces', (_, call) => [asked(call)]),
  ),
  'empty-workspace-is-none': ignoring('workspace', (value) => value === ''),
  'empty-workspace-looked-up': converting('workspace', (value) => (value === '' ? ' ' : value), 'library.search'),
  'workspace-number-made-text': converting('workspace', (value) => (typeof value === 'number' ? String(value) : value)),
  'workspace-number-ignored': ignoring('workspace', (value) => typeof value === 'number', 'connections.status'),
  'reach-not-asked-by-library-get': withinAccount('library.get'),
  'reach-not-asked-by-create-request': withinAccount('content.create_request'),
  'reach-not-asked-by-images': withinAccount('images.generate'),
  'only-workspace-whatever-is-asked': settling((call, key) => {
    const [only] = key.role === 'sole' && calls('knowledge.search')(call) ? key.reach : [];
    return only === undefined ? undefined : [only, 'sole-reachable'];
  }),
  'account-listed-to-keys-of-one-workspace': answering(
    both(unreachable, to('sole')),
    field('workspaces', (_, call) => (call.key === undefined ? [] : accountOf(call, call.key))),
  ),
  'slugs-by-their-start': settling((call, key) => {
    const start = asked(call) ?? '';
    const found = start === '' ? undefined : key.reach.find((slug) => slug !== start && slug.startsWith(start));
    return found === undefined ? undefined : [found, 'call-override'];
  }),
  'first-slug-of-a-list-in-library-search': converting(
    'workspace',
    (slug) => (Array.isArray(slug) ? slug[0] : slug),
    'library.search',
  ),
  'default-not-looked-up-without-body': around('resolveWorkspace', (resolve) => (call) => {
    if (sent(call) !== '' || call.key?.storedDefault == null) return resolve(call);
    const { storedDefault } = call.key;
    call.key.storedDefault = null;
    const answer = resolve(call);
    call.key.storedDefault = storedDefault;
    return answer;
  }),
  'argument-of-create-sticks': around('runTool', (run) => (call) => {
    if (calls('content.create_request')(call) && call.key?.role === 'ambiguous') {
      call.key.storedDefault = asked(call) ?? call.key.storedDefault;
    }
    return run(call);
  }),
};
