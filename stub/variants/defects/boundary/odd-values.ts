import { type ToolName, toolNames } from '../../../../fixtures/contract/tools.ts';
import { type ApiResponse, refusal } from '../../../server/responses.ts';
import { converting, firstOfList, ignoring } from '../../changes/arguments.ts';
import { aroundTool, changing, crash, field, list, result } from '../../changes/responses.ts';
import { before, calls, forgiving, instead } from '../../changes/steps.ts';
import { asked } from '../../changes/workspaces.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

/** Fails with a 500 if a string argument matches. */
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

/** Returns whether a hit matches no query word. The stub returns weak hits for every query. */
const weak = (hit: unknown) => typeof hit === 'object' && hit !== null && 'relevance' in hit && hit.relevance === 0.1;

/** Defects on unusual values: names of object-prototype members, patterns, long strings and empty values. */
export const oddValueDefects = {
  'crash-on-prototype-workspace': defect(
    'fails with a 500 if the workspace is a built-in property name of JavaScript objects, such as constructor',
  )
    .breaks('envelopes.no-server-error', 'workspaces.unknown-refused')
    .by(breaking('workspace', isMember, ...toolNames)),
  'crash-on-prototype-item': defect(
    'fails with a 500 if an item kind or ID is a built-in property name of JavaScript objects, such as constructor',
  )
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(together(breaking('kind', isMember, 'library.get'), breaking('id', isMember, 'library.get'))),
  'crash-on-prototype-board': defect(
    'fails with a 500 if the board is a built-in property name of JavaScript objects, such as constructor',
  )
    .breaks('envelopes.no-server-error', 'image-proposals.board-unknown-refused')
    .by(breaking('board', isMember, 'images.generate')),
  'crash-on-prototype-confirmation': defect(
    'fails with a 500 if confirmation_id is a built-in property name of JavaScript objects, such as constructor',
  )
    .breaks(
      'confirmations.never-issued-invalid',
      'envelopes.no-server-error',
      'image-proposals.near-miss-id-never-confirms',
    )
    .by(breaking('confirmation_id', isMember, 'images.generate')),
  'crash-on-shape-without-colon': defect('fails with a 500 if a shape has no colon')
    .breaks('envelopes.no-server-error')
    .by(breaking('shape', (shape) => !shape.includes(':'), 'images.generate')),
  'crash-on-shape-of-nothing': defect('fails with a 500 if the height in a shape is 0')
    .breaks('envelopes.no-server-error')
    .by(breaking('shape', (shape) => shape.endsWith(':0'), 'images.generate')),
  'crash-on-huge-count': defect('fails with a 500 if the count does not fit in a 32-bit integer')
    .breaks('envelopes.no-server-error')
    .by(
      instead('checkArguments', (call) => calls('images.generate')(call) && Number(call.body.count) >= 2 ** 31, crash),
    ),
  'crash-on-search-pattern': defect('fails with a 500 if the query of library.search is not a valid regular expression')
    .breaks('envelopes.no-server-error', 'library.search-answers', 'arguments.anything-answered')
    .by(breaking('query', isNoPattern, 'library.search')),
  'crash-on-long-question': defect('fails with a 500 if the query of knowledge.search has more than 1,000 characters')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', ({ length }) => length > 1000, 'knowledge.search')),
  'crash-on-long-id': defect('fails with a 500 if the ID of an item is longer than its database column')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('id', ({ length }) => length > 255, 'library.get')),
  'crash-on-half-a-surrogate': defect('fails with a 500 if a query contains an unpaired surrogate')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', (query) => !query.isWellFormed(), 'library.search', 'knowledge.search')),
  'zero-taken-for-no-query': defect('treats query: 0 like an omitted query')
    .breaks('library.query-wrong-type-refused', 'knowledge.query-wrong-type-refused')
    .by(ignoring('query', isZero, 'library.search', 'knowledge.search')),
  'zero-taken-for-no-workspace': defect('treats workspace: 0 like an omitted workspace')
    .breaks(
      'workspaces.wrong-type-refused',
      'content-requests.workspace-wrong-type-refused',
      'image-proposals.workspace-wrong-type-refused',
    )
    .by(ignoring('workspace', isZero, ...toolNames)),
  'zero-taken-for-no-title': defect('treats title: 0 like an omitted title')
    .breaks('content-requests.title-wrong-type-refused')
    .by(ignoring('title', isZero, 'content.create_request')),
  'blank-workspace-taken-for-none': defect('treats a workspace that consists of spaces as omitted')
    .breaks('workspaces.unknown-refused', 'workspaces.argument-honoured', 'workspaces.source-call-override')
    .by(ignoring('workspace', (slug) => typeof slug === 'string' && slug !== '' && slug.trim() === '', ...toolNames)),
  'own-slug-refused': defect('refuses a request that names the only workspace that its key can reach')
    .breaks('workspaces.argument-honoured')
    .by(
      instead(
        'resolveWorkspace',
        (call) => call.key?.role === 'sole' && asked(call) !== undefined,
        ({ behavior }) =>
          refusal('boundary', {
            code: behavior.codes.workspaceUnreachable,
            message: 'This key cannot reach the workspace.',
          }),
      ),
    ),
  'null-brief-accepted': defect('accepts null as the brief')
    .breaks('image-proposals.brief-missing-refused')
    .by(converting('brief', (brief) => brief ?? 'An image', 'images.generate')),
  'confirmation-out-of-a-list': defect('accepts an array as confirmation_id and uses its first element')
    .breaks('image-proposals.null-id-never-confirms')
    .by(firstOfList('confirmation_id', 'images.generate')),
  'comments-in-bodies-read': defect('accepts a JSON body that contains comments')
    .breaks('bodies.not-json', 'bodies.every-reading-tool')
    .by(
      forgiving((text) => {
        const bare = text.replaceAll(/\/\*.*?\*\//g, '');
        return bare !== text && bare === '{}' ? {} : undefined;
      }),
    ),
  'tools-by-names-with-dashes': defect('accepts tool names with hyphens instead of dots')
    .breaks('unknown-tools.near-misses-404')
    .by(
      before('findTool', (call) => {
        call.tool ??= toolNames.find((name) => name.replaceAll('.', '-') === call.toolName);
      }),
    ),
  'question-decoded': defect('decodes escapes such as %20 in the query that knowledge.search echoes')
    .breaks('knowledge.query-echoed')
    .by(
      changing(
        result('knowledge.search'),
        field('query', (query) => String(query).replaceAll('%20', ' ').replaceAll('+', ' ')),
      ),
    ),
  'same-request-same-piece': defect('returns the same piece when a content request is repeated')
    .breaks('content-requests.piece-id-new')
    .by((behavior) => {
      const made = new Map<string, ApiResponse>();
      return aroundTool('content.create_request', (create) => (call) => {
        const request = JSON.stringify([call.key.account, call.args]);
        const response = made.get(request) ?? create(call);
        made.set(request, response);
        return response;
      })(behavior);
    }),
  'null-kind-accepted': defect('accepts null as the kind of an item')
    .breaks('library.kind-missing-refused')
    .by(converting('kind', (kind) => kind ?? 'image', 'library.get')),
  'hits-null-where-none-match': defect('sends hits as null if nothing matches the query')
    .breaks('knowledge.hits')
    .by(
      changing(
        result('knowledge.search'),
        list('hits', (hits) => (hits.every(weak) ? null : hits)),
      ),
    ),
  'crash-on-four-bytes': defect(
    'fails with a 500 if the query of library.search contains a character outside the Basic Multilingual Plane',
  )
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', (query) => /[\u{10000}-\u{10ffff}]/u.test(query), 'library.search')),
  'question-in-the-spelling-kept': defect(
    'ignores letter case when it caches responses of knowledge.search, so the echoed query can be an earlier one',
  )
    .breaks('knowledge.query-echoed')
    .by((behavior) => {
      const kept = new Map<string, unknown>();
      return changing(
        result('knowledge.search'),
        field('query', (query) => {
          const plain = String(query).trim().toLowerCase();
          if (!kept.has(plain)) kept.set(plain, query);
          return kept.get(plain);
        }),
      )(behavior);
    }),
};
