import { type ToolName, toolNames } from '../../../../fixtures/contract/tools.ts';
import { boundaryError } from '../../../../stub/server/responses.ts';
import { type Defect, type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { changing, errorFields, sentAs, type When } from '../../changes/responses.ts';
import { around, calls, forgiving, instead, sent } from '../../changes/steps.ts';

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

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Defects in parsing bodies. */
export const bodyDefects = {
  'chunks-not-read': defect('ignores a body that comes in chunks')
    .breaks('bodies.chunked')
    .by(
      around('readBody', (read) => (call) => {
        const { headers } = call.request;
        const isWhole = headers['transfer-encoding'] === undefined;
        return read(isWhole ? call : Object.assign(call, { request: { ...call.request, body: null } }));
      }),
    ),
  'form-bodies-read': defect('parses a body that is not JSON as form data')
    .breaks('bodies.not-json', 'bodies.every-reading-tool')
    .by(forgiving((text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined))),
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
  'empty-array-is-no-body': defect('treats an empty array as an empty object')
    .breaks('bodies.empty-array', 'bodies.every-reading-tool', 'bodies.create-request', 'bodies.images-generate')
    .by(emptyWhere((value) => Array.isArray(value) && value.length === 0)),
  'large-array-as-413': defect('returns 413 for a very large array')
    .breaks('bodies.large-array', 'envelopes.described-status')
    .by(changing(isTooLarge, sentAs(413))),
  'malformed-with-mcp-code': defect('sends the code tenant_mcp.malformed_body with the 400 for a malformed body')
    .breaks(...malformedBodies)
    .by(changing(isMalformed, errorFields({ code: 'tenant_mcp.malformed_body' }))),
  'content-type-wanted': defect('returns 400 for any request without a body, because it requires a content-type')
    .breaks(
      'bodies.omitted-schedule-read',
      'bodies.omitted-connections-status',
      'bodies.omitted-credits-balance',
      'credits.needs-no-workspace',
    )
    .by(bodyWantedBy(...toolNames)),
  'apostrophes-in-briefs-malformed': defect('treats a body as malformed if a brief contains an apostrophe')
    .breaks('arguments.valid-never-refused', 'image-proposals.proposed')
    .by(
      instead(
        'checkArguments',
        (call) => calls('images.generate')(call) && text(call.body.brief).includes("'"),
        ({ behavior }) => boundaryError(400, behavior.codes.malformedBody, 'The body is not a JSON object.'),
      ),
    ),
};
