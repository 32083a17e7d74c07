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
  'crash-on-prototype-workspace': defect('fails with a 500 if a workspace is an object-prototype member')
    .breaks('envelopes.no-server-error', 'workspaces.unknown-refused')
    .by(breaking('workspace', isMember, ...toolNames)),
  'crash-on-prototype-item': defect('fails with a 500 if a kind or an id is an object-prototype member')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(together(breaking('kind', isMember, 'library.get'), breaking('id', isMember, 'library.get'))),
  'crash-on-prototype-board': defect('fails with a 500 if a board is an object-prototype member')
    .breaks('envelopes.no-server-error', 'image-proposals.board-unknown-refused')
    .by(breaking('board', isMember, 'images.generate')),
  'crash-on-prototype-confirmation': defect('fails with a 500 if a confirmation_id is an object-prototype member')
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
  'crash-on-huge-count': defect('fails with a 500 if a count does not fit into 32 bits')
    .breaks('envelopes.no-server-error')
    .by(
      instead('checkArguments', (call) => calls('images.generate')(call) && Number(call.body.count) >= 2 ** 31, crash),
    ),
  'crash-on-search-pattern': defect('fails with a 500 if a library query is not a valid regular expression')
    .breaks('envelopes.no-server-error', 'library.search-answers', 'arguments.anything-answered')
    .by(breaking('query', isNoPattern, 'library.search')),
  'crash-on-long-question': defect('fails with a 500 if a question has more than 1,000 characters')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', ({ length }) => length > 1000, 'knowledge.search')),
  'crash-on-long-id': defect('fails with a 500 if an id of an item does not fit its column')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('id', ({ length }) => length > 255, 'library.get')),
  'crash-on-half-a-surrogate': defect('fails with a 500 if a query contains half a surrogate pair')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', (query) => !query.isWellFormed(), 'library.search', 'knowledge.search')),
  'zero-taken-for-no-query': defect('treats a query that is 0 as omitted')
    .breaks('library.query-wrong-type-refused', 'knowledge.query-wrong-type-refused')
    .by(ignoring('query', isZero, 'library.search', 'knowledge.search')),
  'zero-taken-for-no-workspace': defect('treats a workspace that is 0 as omitted')
    .breaks(
      'workspaces.wrong-type-refused',
      'content-requests.workspace-wrong-type-refused',
      'image-proposals.workspace-wrong-type-refused',
    )
    .by(ignoring('workspace', isZero, ...toolNames)),
  'zero-taken-for-no-title': defect('treats a title that is 0 as omitted')
    .breaks('content-requests.title-wrong-type-refused')
    .by(ignoring('title', isZero, 'content.create_request')),
  'blank-workspace-taken-for-none': defect('treats a workspace of spaces as omitted')
    .breaks('workspaces.unknown-refused', 'workspaces.argument-honoured', 'workspaces.source-call-override')
    .by(ignoring('workspace', (slug) => typeof slug === 'string' && slug !== '' && slug.trim() === '', ...toolNames)),
  'own-slug-refused': defect('refuses a key its only reachable workspace when the request names it')
    .breaks('workspaces.argument-honoured')
    .by(
      instead(
        'resolveWorkspace',
        (call) => call.key?.role === 'sole' && asked(call) !== undefined,
        ({ behavior }) =>
          refusal('boundary', { code: behavior.codes.workspaceUnreachable, message: 'This is out of reach.' }),
      ),
    ),
  'null-brief-accepted': defect('accepts a brief that is null')
    .breaks('image-proposals.brief-missing-refused')
    .by(converting('brief', (brief) => brief ?? 'An image', 'images.generate')),
  'confirmation-out-of-a-list': defect('accepts a list as confirmation_id and uses its first member')
    .breaks('image-proposals.null-id-never-confirms')
    .by(firstOfList('confirmation_id', 'images.generate')),
  'comments-in-bodies-read': defect('reads a body with comments in it')
    .breaks('bodies.not-json', 'bodies.every-reading-tool')
    .by(
      forgiving((text) => {
        const bare = text.replaceAll(/\/\*.*?\*\//g, '');
        return bare !== text && bare === '{}' ? {} : undefined;
      }),
    ),
  'tools-by-names-with-dashes': defect('finds a tool under a name with dashes instead of dots')
    .breaks('unknown-tools.near-misses-404')
    .by(
      before('findTool', (call) => {
        call.tool ??= toolNames.find((name) => name.replaceAll('.', '-') === call.toolName);
      }),
    ),
  'question-decoded': defect('echoes a question with its escapes decoded')
    .breaks('knowledge.query-echoed')
    .by(
      changing(
        result('knowledge.search'),
        field('query', (query) => String(query).replaceAll('%20', ' ').replaceAll('+', ' ')),
      ),
    ),
  'same-request-same-piece': defect('returns the same piece when a request is repeated')
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
  'null-kind-accepted': defect('accepts a kind that is null')
    .breaks('library.kind-missing-refused')
    .by(converting('kind', (kind) => kind ?? 'image', 'library.get')),
  'hits-null-where-none-match': defect('sends hits as null if nothing matches a question')
    .breaks('knowledge.hits')
    .by(
      changing(
        result('knowledge.search'),
        list('hits', (hits) => (hits.every(weak) ? null : hits)),
      ),
    ),
  'crash-on-four-bytes': defect('fails with a 500 if a query of the library has a character beyond the basic plane')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(breaking('query', (query) => /[\u{10000}-\u{10ffff}]/u.test(query), 'library.search')),
  'question-in-the-spelling-kept': defect(
    'caches the response to a question and returns it for another spelling of the question',
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
