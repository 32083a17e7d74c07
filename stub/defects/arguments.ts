import { formats, toolNames } from '../../fixtures/contract/tools.ts';
import type { argumentDefects as described } from '../../fixtures/defects/arguments.ts';
import { boundaryError } from '../answers.ts';
import { type Body, crash, type Deviation } from './patches.ts';
import { calls, converting, ignoring, instead, refusing, sent } from './steps.ts';

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Breaks where a body that was read is of this kind. */
const breaking = (when: (body: Body, sent: string) => boolean): Deviation =>
  instead('checkArguments', (call) => when(call.body, sent(call)), crash);

export const argumentDefects: Readonly<Record<keyof typeof described, Deviation>> = {
  'quotation-marks-in-titles-refused': refusing(
    'title',
    (title) => text(title).includes('"'),
    'content.create_request',
  ),
  'other-scripts-in-queries-refused': refusing(
    'query',
    (query) => /[^ -~]/.test(text(query)),
    'library.search',
    'knowledge.search',
  ),
  'apostrophes-in-briefs-malformed': instead(
    'checkArguments',
    (call) => calls('images.generate')(call) && text(call.body.brief).includes("'"),
    ({ rules }) => boundaryError(400, rules.codes.malformedBody, 'The body is not a JSON object.'),
  ),
  'objects-taken-for-titles': ignoring('title', isObject, 'content.create_request'),
  'false-taken-for-no-workspace': ignoring('workspace', (value) => value === false, ...toolNames),
  'formats-matched-by-their-start': converting(
    'format',
    (value) => formats.find((format) => text(value).startsWith(format)) ?? value,
    'content.create_request',
  ),
  'null-characters-break-calls': breaking((_, body) => body.includes('\\u0000')),
  'proto-keys-break-calls': breaking((_, body) => body.includes('"__proto__":')),
  'deep-arguments-break-calls': breaking((body) =>
    Object.values(body).some((value) => isObject(value) && Object.values(value).some(isObject)),
  ),
};
