import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { type ToolName, toolNames } from '../../../../fixtures/contract/tools.ts';
import { boundaryError, refusal } from '../../../server/responses.ts';
import { type Body, changing, errorFields, sentAs, type When } from '../../changes/responses.ts';
import { calls, forgiving, instead, sent, skipping } from '../../changes/steps.ts';
import type { Deviation } from '../../deviation.ts';
import { type Defect, defect } from '../defect.ts';

/** Parses JSON. Returns undefined for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Treats some JSON values as an empty object. */
const emptyWhere = (meant: (value: unknown) => boolean): Deviation =>
  forgiving((text) => {
    const value = parsed(text);
    return value !== undefined && meant(value) ? {} : undefined;
  });

const forgivenBy = (...tools: readonly ToolName[]): Deviation =>
  forgiving((_, call) => (calls(...tools)(call) ? {} : undefined));

const asObject = (value: unknown): Body | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

export const bodyWantedBy = (...tools: readonly ToolName[]): Deviation =>
  instead(
    'readBody',
    (call) => calls(...tools)(call) && sent(call) === '',
    ({ behavior }) => boundaryError(400, behavior.codes.malformedBody, 'There is no body.'),
  );

const isMalformed: When = ({ status, body }) => status === 400 && JSON.stringify(body).includes('malformed');
const isTooLarge: When = ({ status, body }) => status === 400 && JSON.stringify(body).includes('too_large');

/** Requirements that a server breaks if it responds differently to all malformed bodies. */
const malformedBodies: Defect['breaks'] = [
  'bodies.not-json',
  'bodies.json-string',
  'bodies.json-number',
  'bodies.json-boolean',
  'bodies.json-null',
  'bodies.empty-array',
  'bodies.array-of-objects',
  'bodies.every-reading-tool',
  'bodies.create-request',
  'bodies.images-generate',
];

/** Defects in parsing bodies. */
export const bodyDefects = {
  'form-bodies-read': defect('parses a body that is not JSON as form data')
    .breaks('bodies.not-json', 'bodies.every-reading-tool')
    .by(forgiving((text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined))),
  'json-without-quotes-read': defect('accepts JSON with unquoted names')
    .breaks('bodies.not-json')
    .by(forgiving((text) => asObject(parsed(text.replace(/\{(\w+):/, '{"$1":'))))),
  'text-behind-json-ignored': defect('ignores text after the first JSON object in the body')
    .breaks('bodies.not-json', 'bodies.every-reading-tool')
    .by(forgiving((text) => asObject(parsed(/^\{[^{}]*\}/.exec(text)?.[0] ?? '')))),
  'broken-json-is-no-body': defect('treats a body that is not valid JSON as an empty object')
    .breaks('bodies.not-json', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(forgiving((text) => (parsed(text) === undefined ? {} : undefined))),
  'text-parsed-twice': defect(
    'parses a JSON string again as JSON, and treats it as an empty object if it contains no object',
  )
    .breaks('bodies.json-string', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(
      forgiving((text) => {
        const once = parsed(text);
        return typeof once === 'string' ? (asObject(parsed(once)) ?? {}) : undefined;
      }),
    ),
  'object-in-a-text-read': defect('accepts a JSON string that contains an encoded object')
    .breaks('bodies.json-string', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(
      forgiving((text) => {
        const once = parsed(text);
        return typeof once === 'string' ? asObject(parsed(once)) : undefined;
      }),
    ),
  'number-is-an-object': defect('treats a JSON number as an empty object')
    .breaks('bodies.json-number', 'bodies.every-reading-tool')
    .by(emptyWhere((value) => typeof value === 'number')),
  'falsy-body-is-no-body': defect('treats 0, false, an empty string and null as an omitted body')
    .breaks(
      'bodies.json-string',
      'bodies.json-number',
      'bodies.json-boolean',
      'bodies.json-null',
      'bodies.every-reading-tool',
      'bodies.create-request',
      'bodies.images-generate',
    )
    .by(emptyWhere((value) => !value)),
  'true-is-an-object': defect('treats true as an empty object')
    .breaks('bodies.json-boolean', 'bodies.every-reading-tool')
    .by(emptyWhere((value) => value === true)),
  'null-is-no-body': defect('treats null as an empty object')
    .breaks('bodies.json-null', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(emptyWhere((value) => value === null)),
  'empty-array-is-no-body': defect('treats an empty array as an empty object')
    .breaks('bodies.empty-array', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(emptyWhere((value) => Array.isArray(value) && value.length === 0)),
  'batch-of-one-run': defect('runs the request in an array of one request')
    .breaks('bodies.array-of-objects', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(
      forgiving((text) => {
        const batch = parsed(text);
        return Array.isArray(batch) && batch.length === 1 ? asObject(batch[0]) : undefined;
      }),
    ),
  'arrays-are-objects': defect('treats any array as an object, as a check with typeof does')
    .breaks(
      'bodies.empty-array',
      'bodies.array-of-objects',
      'bodies.large-array',
      'bodies.every-reading-tool',
      'bodies.create-request',
      'bodies.images-generate',
    )
    .by(emptyWhere(Array.isArray)),
  'large-array-as-413': defect('returns 413 for a very large array')
    .breaks('bodies.large-array', 'envelopes.described-status')
    .by(changing(isTooLarge, sentAs(413))),
  'large-array-with-code-of-its-own': defect('returns an undocumented code for a very large array')
    .breaks('bodies.large-array')
    .by(changing(isTooLarge, errorFields({ code: 'tenant_api.too_many_messages' }))),
  'malformed-with-mcp-code': defect('sends the code tenant_mcp.malformed_body with the 400 for a malformed body')
    .breaks(...malformedBodies)
    .by(changing(isMalformed, errorFields({ code: 'tenant_mcp.malformed_body' }))),
  'malformed-as-invalid-arguments': defect(`returns ${refusalCodes.invalidArguments} for a body that is not an object`)
    .breaks(...malformedBodies)
    .by(
      changing(isMalformed, () =>
        refusal('boundary', {
          code: refusalCodes.invalidArguments,
          message: 'The body is not a JSON object.',
          issues: [{ path: '', message: 'expected an object' }],
        }),
      ),
    ),
  'malformed-forgiven-by-knowledge-search': defect('treats a malformed body of knowledge.search as an empty object')
    .breaks('bodies.every-reading-tool')
    .by(forgivenBy('knowledge.search')),
  'malformed-forgiven-by-credits-balance': defect('never reads the body of credits.balance')
    .breaks('bodies.every-reading-tool')
    .by(skipping('readBody', calls('credits.balance'))),
  'malformed-forgiven-by-create-request': defect('treats a malformed body of content.create_request as an empty object')
    .breaks('bodies.create-request')
    .by(forgivenBy('content.create_request')),
  'malformed-forgiven-by-images-generate': defect('treats a malformed body of images.generate as an empty object')
    .breaks('bodies.images-generate')
    .by(forgivenBy('images.generate')),
  'body-wanted-by-schedule-read': defect('returns 400 for schedule.read without a body')
    .breaks('bodies.omitted-schedule-read')
    .by(bodyWantedBy('schedule.read')),
  'body-wanted-by-connections-status': defect('returns 400 for connections.status without a body')
    .breaks('bodies.omitted-connections-status')
    .by(bodyWantedBy('connections.status')),
  'body-wanted-by-credits-balance': defect('returns 400 for credits.balance without a body')
    .breaks('bodies.omitted-credits-balance', 'credits.needs-no-workspace')
    .by(bodyWantedBy('credits.balance')),
  'content-type-wanted': defect('returns 400 for any request without a body, because it requires a content-type')
    .breaks(
      'bodies.omitted-schedule-read',
      'bodies.omitted-connections-status',
      'bodies.omitted-credits-balance',
      'credits.needs-no-workspace',
    )
    .by(bodyWantedBy(...toolNames)),
  'batch-of-one-refused-as-call': defect('returns 200 and a refusal for an array of one object')
    .breaks('bodies.array-of-objects', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(
      instead(
        'readBody',
        (call) => /^\[\{.+\}\]$/.test(sent(call)),
        () => refusal('boundary', { code: 'no_batches', message: 'One call at a time.' }),
      ),
    ),
};
