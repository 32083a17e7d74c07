import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { boundary } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call, Fields, Json } from '../model.ts';
import type { Probe } from '../probe.ts';
import { around, type Steps } from '../steps.ts';
import { gets } from './further-requests.ts';

const failure = (): Answer => boundary(500, 'tenant_api.internal', 'Something went wrong.');

/** A deviation that reads arguments differently. */
function reads(
  id: string,
  sentence: string,
  tool: string,
  change: (args: Fields) => Fields,
  breaks: RequirementId[],
  probe: Deviation['probe'],
): Deviation {
  const steps = (s: Steps): void =>
    around(s, 'check', (next) => (c) => {
      if (c.tool === tool) c.args = change(c.args);
      return next(c);
    });
  return { id, sentence, breaks, steps, probe };
}

const create = 'content.create_request';

const made = (more: Fields) => async (p: Probe) => (await p.create('primary', more)).ok;
const number = (value: Json | undefined): Json =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : (value ?? null);

/** Further values in the allowed range and just outside it. */
export const furtherValues: Deviation[] = [
  reads(
    'count-as-text-taken',
    'A count may be written as a text.',
    'images.generate',
    (args) => ({ ...args, ...(args.count === undefined ? {} : { count: number(args.count) }) }),
    ['image-proposals.count-wrong-type-refused'],
    async (p) => (await p.propose('primary', { count: '1' })).ok,
  ),
  reads(
    'title-as-number-taken',
    'A title may be a number.',
    create,
    (args) => ({ ...args, ...(typeof args.title === 'number' ? { title: String(args.title) } : {}) }),
    ['content-requests.title-wrong-type-refused'],
    made({ title: 7 }),
  ),
  reads(
    'format-plural-taken',
    'A format may be written in the singular.',
    create,
    (args) => ({ ...args, ...(/^(post|article)$/.test(String(args.format)) ? { format: `${args.format}s` } : {}) }),
    ['content-requests.format-unknown-refused'],
    made({ format: 'post' }),
  ),
  reads(
    'day-with-slashes-taken',
    'A day may be written with slashes or dots.',
    create,
    (args) => ({ ...args, ...(typeof args.day === 'string' ? { day: args.day.replace(/[/.]/g, '-') } : {}) }),
    ['content-requests.day-pattern-refused'],
    made({ day: '2027/03/10' }),
  ),
];

/** A deviation that needs several errors in one request. */
function whereBoth(
  id: string,
  sentence: string,
  applies: (c: Call) => boolean,
  breaks: RequirementId[],
  probe: Deviation['probe'],
  answer: () => Answer = failure,
): Deviation {
  const steps = (s: Steps): void =>
    around(s, 'handle', (next) => async (c) => {
      const done = await next(c);
      return c.args !== undefined && applies(c) ? answer() : done;
    });
  return { id, sentence, breaks, steps, probe };
}

const has = (args: Fields, name: string): boolean => Object.hasOwn(args, name);
const bad: RequirementId[] = ['envelopes.no-server-error', 'arguments.anything-answered', 'arguments.all-fields-named'];

/** Further pairs of errors. */
export const furtherPairs: Deviation[] = [
  whereBoth(
    'format-and-day-bad-is-500',
    'A bad format with a bad day is a 500.',
    ({ tool, args }) => tool === create && !/^\d{4}/.test(String(args.day)) && !/^[a-z_]+s$/.test(String(args.format)),
    bad,
    async (p) => (await p.create('primary', { format: 'x', day: 'y' })).status === 500,
  ),
  whereBoth(
    'kind-and-id-missing-is-500',
    'A fetch without kind and id is a 500.',
    ({ tool, args }) => tool === 'library.get' && !has(args, 'kind') && !has(args, 'id'),
    bad,
    gets(500, 'library.get', { workspace: 'dock' }),
  ),
  whereBoth(
    'board-and-shape-missing-is-500',
    'A proposal without board and shape is a 500.',
    ({ tool, args }) => tool === 'images.generate' && !has(args, 'board') && !has(args, 'shape'),
    bad,
    gets(500, 'images.generate', { workspace: 'dock', brief: 'A red kite', count: 1 }),
  ),
  whereBoth(
    'title-and-property-bad-is-400',
    'With a title that is too long, unknown properties are a 400.',
    ({ tool, args }) => tool === create && String(args.title ?? '').length > limits.title.most && has(args, 'colour'),
    bad,
    async (p) =>
      (await p.create('primary', { title: 'x'.repeat(limits.title.most + 1), colour: 'red' })).status === 400,
    () => boundary(400, boundaryCodes.malformedBody, 'No.'),
  ),
  whereBoth(
    'empty-workspace-and-bad-type-is-500',
    'An empty workspace beside a field of another type is a 500.',
    ({ args }) =>
      args.workspace === '' && Object.values(args).some((one) => typeof one === 'number' || typeof one === 'boolean'),
    bad,
    gets(500, 'library.search', { workspace: '', query: 7 }),
  ),
  whereBoth(
    'unknown-workspace-and-board-is-500',
    'An unknown board in an unknown workspace is a 500.',
    ({ tool, args, world }) =>
      tool === 'images.generate' &&
      !world.workspaces.has(String(args.workspace)) &&
      typeof args.workspace === 'string' &&
      args.workspace !== '' &&
      ![...world.workspaces.values()].some(({ boards }) => boards.includes(String(args.board))),
    bad,
    gets(500, 'images.generate', { workspace: 'nowhere', board: 'none', brief: 'A red kite', count: 1, shape: '1:1' }),
  ),
  whereBoth(
    'unknown-kind-and-empty-id-is-404',
    'An unknown kind with an empty id is a 404.',
    ({ tool, args }) => tool === 'library.get' && args.id === '' && has(args, 'kind'),
    ['envelopes.described-status', 'library.unknown-id-200', 'arguments.anything-answered', 'envelopes.outcome-is-200'],
    gets(404, 'library.get', { workspace: 'dock', kind: 'none', id: '' }),
    () => boundary(404, 'tenant_api.unknown_item', 'No.'),
  ),
];
