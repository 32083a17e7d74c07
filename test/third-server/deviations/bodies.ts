import { boundaryCodes, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { boundary, invalidArguments, refusal } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call, Fields } from '../model.ts';
import type { Extra } from '../probe.ts';
import { around, isAnswer, malformed, type Steps } from '../steps.ts';

/** Accepts further bodies: `read` returns their JSON object, or undefined. */
function also(read: (text: string, call: Call) => unknown): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'parse', (next) => (c) => {
      const usual = next(c);
      if (!isAnswer(usual)) return usual;
      try {
        const value = read(`${c.raw}`, c);
        // Any object can serve as fields.
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
      } catch {}
      return usual;
    });
}

/** Responds to some bodies without reading them. */
function before(applies: (call: Call) => boolean, answer: () => Answer): (steps: Steps) => void {
  return (steps) => around(steps, 'parse', (next) => (c) => (applies(c) ? answer() : next(c)));
}

const served =
  (raw: string, extra: Extra = {}): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', 'credits.balance', undefined, { raw, ...extra })).status === 200;

const failing =
  (raw: string, extra: Extra = {}): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', 'credits.balance', undefined, { raw, ...extra })).code !== malformedCode &&
    !(await served(raw, extra)(p));

const malformedCode = boundaryCodes.malformedBody;
const text = ['bodies.not-json', 'bodies.every-reading-tool'] as const;

/** Deviations of framing, size, depth, arrays, media types and almost valid JSON. */
export const byBody: Deviation[] = [
  {
    id: 'array-of-two-taken',
    sentence: 'Of an array of two objects the first is taken.',
    breaks: ['bodies.array-of-objects', 'bodies.every-reading-tool', 'bodies.large-array'],
    steps: also((raw) => {
      const value = JSON.parse(raw);
      return Array.isArray(value) && value.length === 2 ? value[0] : undefined;
    }),
    probe: served('[{},{}]'),
  },
  {
    id: 'array-of-request-taken',
    sentence: '`content.create_request` takes an array that holds one request.',
    breaks: ['bodies.create-request', 'bodies.array-of-objects'],
    steps: also((raw, { tool }) => (tool === 'content.create_request' ? JSON.parse(raw)[0] : undefined)),
    probe: async (p) => {
      const raw = '[{"format":"posts","day":"2027-03-10","workspace":"dock"}]';
      return (await p.call('primary', 'content.create_request', undefined, { raw })).ok;
    },
  },
  {
    id: 'text-after-object-ignored',
    sentence: 'What follows the object in a body is ignored.',
    breaks: text,
    steps: also((raw) => JSON.parse(raw.slice(0, raw.indexOf('}') + 1))),
    probe: served('{} {"more": 1}'),
  },
  {
    id: 'trailing-comma-taken',
    sentence: 'A comma after the last member is ignored.',
    breaks: text,
    steps: also((raw) => JSON.parse(raw.replace(/,\s*}/g, '}'))),
    probe: served('{"workspace": "dock",}'),
  },
  {
    id: 'comments-taken',
    sentence: 'Comments in a body are ignored.',
    breaks: text,
    steps: also((raw) => JSON.parse(raw.replace(/\/\*.*?\*\/|\/\/[^\n]*/g, ''))),
    probe: served('{/* none */}'),
  },
  {
    id: 'single-quotes-taken',
    sentence: 'Single quotation marks count as double ones.',
    breaks: text,
    steps: also((raw) => JSON.parse(raw.replaceAll("'", '"'))),
    probe: served("{'workspace': 'dock'}"),
  },
  {
    id: 'object-in-string-taken',
    sentence: 'An object that was encoded twice is taken.',
    breaks: ['bodies.json-string', 'bodies.every-reading-tool'],
    steps: also((raw) => JSON.parse(JSON.parse(raw))),
    probe: served('"{}"'),
  },
  {
    id: 'falsy-body-is-none',
    sentence: 'The bodies `0`, `false` and `""` count as no body.',
    breaks: ['bodies.json-number', 'bodies.json-boolean', 'bodies.json-string', 'bodies.every-reading-tool'],
    steps: also((raw) => (raw === '0' || raw === 'false' || raw === '""' ? {} : undefined)),
    probe: served('0'),
  },
  {
    id: 'large-array-is-413',
    sentence: 'An array of more than 12 KB is a 413.',
    breaks: ['bodies.large-array', 'envelopes.described-status'],
    steps: before(
      ({ raw }) => raw.length > 12_000 && raw[0] === 91,
      () => boundary(413, 'tenant_api.too_large', 'That is too large.'),
    ),
    probe: failing(JSON.stringify(Array.from({ length: 9000 }, () => 0))),
  },
  {
    id: 'media-type-parameter-refused',
    sentence: 'A media type with a parameter other than UTF-8 in small letters is a 415.',
    breaks: ['envelopes.described-status', 'arguments.valid-never-refused', 'arguments.anything-answered'],
    steps: before(
      ({ headers }) => /;\s*charset="?UTF-8/.test(headers['content-type'] ?? ''),
      () => boundary(415, 'tenant_api.media_type', 'Send application/json.'),
    ),
    probe: failing('{}', { headers: { 'content-type': 'application/json; charset=UTF-8' } }),
  },
  {
    id: 'chunked-body-not-read',
    sentence: 'A body that comes in chunks counts as none.',
    breaks: ['bodies.chunked'],
    steps: (s) => around(s, 'parse', (next) => (c) => (c.headers['transfer-encoding'] === undefined ? next(c) : {})),
    probe: served('nonsense', { chunked: true }),
  },
  {
    id: 'deep-body-fails',
    sentence: 'More than 200 levels of a body are a 500.',
    breaks: ['arguments.anything-answered', 'envelopes.no-server-error'],
    steps: before(
      ({ raw }) => /\[{200}|(\{"[^"]*":\s*){200}/.test(`${raw}`),
      () => boundary(500, 'tenant_api.internal', 'Something went wrong.'),
    ),
    probe: failing(`{"filter":${'['.repeat(300)}${']'.repeat(300)}}`),
  },
  {
    id: 'large-body-refused',
    sentence: 'An object of more than 30 KB is a 413.',
    breaks: ['envelopes.described-status', 'arguments.anything-answered', 'arguments.valid-never-refused'],
    steps: before(
      ({ raw }) => raw.length > 30_000 && raw[0] === 123,
      () => boundary(413, 'tenant_api.too_large', 'That is too large.'),
    ),
    probe: failing(JSON.stringify({ query: 'x'.repeat(31_000) })),
  },
  {
    id: 'images-empty-array-is-invalid-arguments',
    sentence: '`images.generate` takes an empty array for an object without fields.',
    breaks: ['bodies.images-generate', 'bodies.empty-array'],
    steps: before(
      ({ raw, tool }) => `${raw}` === '[]' && tool === 'images.generate',
      () => invalidArguments([{ path: 'board', message: 'is required' }]),
    ),
    probe: async (p) => (await p.call('primary', 'images.generate', undefined, { raw: '[]' })).status === 200,
  },
  {
    id: 'array-is-a-refusal',
    sentence: '`library.get` refuses an array of texts as a tool would.',
    breaks: ['bodies.array-of-objects', 'bodies.every-reading-tool', 'bodies.large-array', 'bodies.empty-array'],
    steps: before(
      ({ raw, tool }) => tool === 'library.get' && raw[0] === 91 && raw.length > 2,
      () => refusal(refusalCodes.invalidArguments, 'Send an object.', { issues: [{ path: '', message: 'no object' }] }),
    ),
    probe: async (p) => (await p.call('primary', 'library.get', undefined, { raw: '["a"]' })).status === 200,
  },
  {
    id: 'space-before-object-refused',
    sentence: 'A line break before the object makes a body malformed.',
    breaks: ['arguments.valid-never-refused', 'arguments.anything-answered'],
    steps: before(({ raw }) => /^\s+\{/.test(`${raw}`), malformed),
    probe: async (p) => (await p.call('primary', 'credits.balance', undefined, { raw: '\n{}' })).status === 400,
  },
];
