import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { oddValueDefects as described } from '../../fixtures/defects/odd-values.ts';
import { type Answer, refusal } from '../answers.ts';
import { answering, aroundTool, crash, type Deviation, field, list, result, together } from './patches.ts';
import { asked } from './places.ts';
import { before, calls, converting, forgiving, ignoring, instead } from './steps.ts';

/** Breaks where a text that a tool is given is of this kind. */
const breaking = (name: string, when: (value: string) => boolean, ...tools: readonly ToolName[]): Deviation =>
  instead(
    'checkArguments',
    (call) => {
      const value = call.body[name];
      return calls(...tools)(call) && typeof value === 'string' && when(value);
    },
    crash,
  );

const isZero = (value: unknown) => value === 0;

const isMember = (value: string) => value in {};

const isNoPattern = (value: string) => {
  try {
    return new RegExp(value) === undefined;
  } catch {
    return true;
  }
};

/** The stub finds something weak for every question, where others find nothing. */
const weak = (hit: unknown) => typeof hit === 'object' && hit !== null && 'relevance' in hit && hit.relevance === 0.1;

/** Deviations on values that nobody thinks of. */
export const oddValueDefects: Readonly<Record<keyof typeof described, Deviation>> = {
  'crash-on-prototype-workspace': breaking('workspace', isMember, ...toolNames),
  'crash-on-prototype-item': together(
    breaking('kind', isMember, 'library.get'),
    breaking('id', isMember, 'library.get'),
  ),
  'crash-on-prototype-board': breaking('board', isMember, 'images.generate'),
  'crash-on-prototype-confirmation': breaking('confirmation_id', isMember, 'images.generate'),
  'crash-on-shape-without-colon': breaking('shape', (shape) => !shape.includes(':'), 'images.generate'),
  'crash-on-shape-of-nothing': breaking('shape', (shape) => shape.endsWith(':0'), 'images.generate'),
  'crash-on-huge-count': instead(
    'checkArguments',
    (call) => calls('images.generate')(call) && Number(call.body.count) >= 2 ** 31,
    crash,
  ),
  'crash-on-search-pattern': breaking('query', isNoPattern, 'library.search'),
  'crash-on-long-question': breaking('query', ({ length }) => length > 1000, 'knowledge.search'),
  'crash-on-long-id': breaking('id', ({ length }) => length > 255, 'library.get'),
  'crash-on-half-a-surrogate': breaking(
    'query',
    (query) => !query.isWellFormed(),
    'library.search',
    'knowledge.search',
  ),
  'zero-taken-for-no-query': ignoring('query', isZero, 'library.search', 'knowledge.search'),
  'zero-taken-for-no-workspace': ignoring('workspace', isZero, ...toolNames),
  'zero-taken-for-no-title': ignoring('title', isZero, 'content.create_request'),
  'blank-workspace-taken-for-none': ignoring(
    'workspace',
    (slug) => typeof slug === 'string' && slug !== '' && slug.trim() === '',
    ...toolNames,
  ),
  'own-slug-refused': instead(
    'resolveWorkspace',
    (call) => call.key?.role === 'sole' && asked(call) !== undefined,
    ({ rules }) => refusal('boundary', { code: rules.codes.workspaceUnreachable, message: 'This is out of reach.' }),
  ),
  'null-brief-accepted': converting('brief', (brief) => brief ?? 'An image', 'images.generate'),
  'confirmation-out-of-a-list': converting(
    'confirmation_id',
    (id) => (Array.isArray(id) ? id[0] : id),
    'images.generate',
  ),
  'comments-in-bodies-read': forgiving((text) => {
    const bare = text.replaceAll(/\/\*.*?\*\//g, '');
    return bare !== text && bare === '{}' ? {} : undefined;
  }),
  'tools-by-names-with-dashes': before('findTool', (call) => {
    call.tool ??= toolNames.find((name) => name.replaceAll('.', '-') === call.toolName);
  }),
  'question-decoded': answering(
    result('knowledge.search'),
    field('query', (query) => String(query).replaceAll('%20', ' ').replaceAll('+', ' ')),
  ),
  'same-request-same-piece': (rules) => {
    const made = new Map<string, Answer>();
    return aroundTool('content.create_request', (create) => (call) => {
      const request = JSON.stringify([call.key.account, call.args]);
      const answer = made.get(request) ?? create(call);
      made.set(request, answer);
      return answer;
    })(rules);
  },
  'null-kind-accepted': converting('kind', (kind) => kind ?? 'image', 'library.get'),
  'hits-null-where-none-match': answering(
    result('knowledge.search'),
    list('hits', (hits) => (hits.every(weak) ? null : hits)),
  ),
  'crash-on-four-bytes': breaking('query', (query) => /[\u{10000}-\u{10ffff}]/u.test(query), 'library.search'),
  'question-in-the-spelling-kept': (rules) => {
    const kept = new Map<string, unknown>();
    return answering(
      result('knowledge.search'),
      field('query', (query) => {
        const plain = String(query).trim().toLowerCase();
        if (!kept.has(plain)) kept.set(plain, query);
        return kept.get(plain);
      }),
    )(rules);
  },
};
