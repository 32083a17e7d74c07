import { toolNames } from '../../../fixtures/contract/tools.ts';
import { boundary } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer } from '../model.ts';
import { around, type Steps, unknownToolCode } from '../steps.ts';

const near = ['unknown-tools.near-misses-404', 'unknown-tools.unknown-404'] as const;

/** Resolves further names to tools. */
function also(find: (segment: string) => string | undefined): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'recognise', (next) => (c) => {
      const name = find(c.segment);
      return next(c) ?? toolNames.find((tool) => tool === name);
    });
}

/** Returns another response for some names without a tool. */
function otherwise(applies: (segment: string) => boolean, answer: (segment: string) => Answer): (s: Steps) => void {
  return (steps) =>
    around(steps, 'handle', (next) => async (c) => {
      const given = await next(c);
      return given.status === 404 && applies(c.segment) ? answer(c.segment) : given;
    });
}

const notFound = (message: string): Answer => boundary(404, unknownToolCode, message);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const served =
  (segment: string): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', segment, { workspace: 'dock' })).status !== 404;

const unlike =
  (segment: string): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', segment, {})).text !== (await p.call('primary', 'no.tool', {})).text;

/** Deviations of unknown names by encoding, length, script, punctuation, normalization and parameters. */
export const byName: Deviation[] = [
  {
    id: 'name-trailing-dot',
    sentence: 'A dot at the end of a name is dropped.',
    breaks: near,
    steps: also((segment) => segment.replace(/\.+$/, '')),
    probe: served('schedule.read.'),
  },
  {
    id: 'name-matrix-parameters',
    sentence: 'What follows a semicolon in a name is taken for parameters.',
    breaks: near,
    steps: also((segment) => segment.split(';')[0]),
    probe: served('schedule.read;v=2'),
  },
  {
    id: 'name-cut-at-nul',
    sentence: 'A name ends at an encoded NUL.',
    breaks: near,
    steps: also((segment) => segment.split('%00')[0]),
    probe: served('schedule.read%00x'),
  },
  {
    id: 'name-decoded-twice',
    sentence: 'Names are decoded twice.',
    breaks: near,
    steps: also((segment) => decoded(decoded(segment))),
    probe: served('schedule%252Eread'),
  },
  {
    id: 'name-compatibility-normalised',
    sentence: 'Full-width letters in a name count as the usual ones.',
    breaks: near,
    steps: also((segment) => decoded(segment).normalize('NFKC')),
    probe: served(encodeURIComponent('ｓchedule.read')),
  },
  {
    id: 'name-underscore-for-dot',
    sentence: 'An underscore or a dash stands for the dot of a name.',
    breaks: near,
    steps: also((segment) => segment.replace(/[_-]/, '.')),
    probe: served('library_search'),
  },
  {
    id: 'name-very-long',
    sentence: 'Names of more than 200 characters are a 414.',
    breaks: ['unknown-tools.unknown-404', 'unknown-tools.uniform-body', 'envelopes.described-status'],
    steps: otherwise(
      ({ length }) => length > 200,
      () => boundary(414, 'tenant_api.name_too_long', 'That is too long.'),
    ),
    probe: unlike('x'.repeat(240)),
  },
  {
    id: 'name-other-script',
    sentence: 'Names with letters outside ASCII are a 400.',
    breaks: ['unknown-tools.unknown-404', 'unknown-tools.uniform-body', 'unknown-tools.near-misses-404'],
    steps: otherwise(
      (segment) => /[^ -~]/.test(decoded(segment)),
      () => boundary(400, 'tenant_api.malformed_name', 'Names are ASCII.'),
    ),
    probe: unlike(encodeURIComponent('календарь')),
  },
  {
    id: 'name-of-known-family',
    sentence: 'A name that begins like a tool gets a 404 of its own.',
    breaks: ['unknown-tools.uniform-body'],
    steps: otherwise(
      (segment) => segment.startsWith('images.'),
      () => notFound('There is no such tool for images.'),
    ),
    probe: unlike('images.delete'),
  },
  {
    id: 'name-length-told',
    sentence: 'The 404 tells how long the name was, if it was a long one.',
    breaks: ['unknown-tools.uniform-body'],
    steps: otherwise(
      ({ length }) => length > 40,
      ({ length }) => notFound(`There is no such tool (${length} characters).`),
    ),
    probe: unlike('y'.repeat(60)),
  },
  {
    id: 'name-prototype-setter',
    sentence: 'The name `__defineGetter__` finds a function that every object has.',
    breaks: ['unknown-tools.prototype-names-404', 'envelopes.no-server-error', 'unknown-tools.uniform-body'],
    steps: otherwise(
      (segment) => segment in {} && segment.startsWith('__'),
      () => boundary(500, 'tenant_api.internal', 'Something went wrong.'),
    ),
    probe: unlike('__defineGetter__'),
  },
];
