import { boundaryErrors, boundaryRows, refusalRows } from '../../fixtures/contract/codes.ts';
import { headerRows } from '../../fixtures/contract/headers.ts';
import { limits } from '../../fixtures/contract/limits.ts';

/** A change to one value of the contract. */
export interface Mutation {
  readonly what: string;
  /** File in `fixtures/contract`, and the text to replace in it. */
  readonly file: 'limits.ts' | 'codes.ts' | 'headers.ts';
  readonly from: string;
  readonly to: string;
  /** IDs of requirements that a server with the old value violates, as named after the change. */
  readonly violated: string | readonly string[];
  /** Defects of the stub that depend on the value. The kit still catches them. */
  readonly defects?: readonly string[];
}

const { title, workspace, confirmation } = limits;
const titleRow = (least: number, most: number) => `title: { least: ${least}, most: ${most} }`;

function ofTitle(what: string, least: number, most: number, ...violated: string[]): Mutation {
  const [from, to] = [titleRow(title.least, title.most), titleRow(least, most)];
  const defects = ['longest-title-refused', 'title-over-limit-accepted'];
  return { what, file: 'limits.ts', from, to, violated, defects };
}

/** Defects of the stub in which only the lifetime of a confirmation ID decides. */
const defectsOfAge = ['confirmation-lives-too-short', 'confirmation-lives-too-long', 'used-id-forgotten-early'];

function ofLifetime(what: string, minutes: number, violated: string): Mutation {
  const from = `lifetimeOf(${confirmation.about})`;
  return { what, file: 'limits.ts', from, to: `lifetimeOf(${minutes})`, violated, defects: defectsOfAge };
}

function ofCode(code: string, violated: string): Mutation {
  const [from, to] = [`code: '${code}'`, `code: '${code}_renamed'`];
  return { what: `${code} renamed`, file: 'codes.ts', from, to, violated };
}

/** Replaces the code of a row that leaves its code open with another code that the specification fixes. */
function ofOpenCode(code: string, violated: string): Mutation {
  const from = `code: '${code}',\n    fixed: false,`;
  const to = `code: '${code}_settled',\n    fixed: true,`;
  return { what: `${code} replaced and fixed`, file: 'codes.ts', from, to, violated };
}

function ofHeader(name: string, violated: string): Mutation {
  return { what: `${name} renamed`, file: 'headers.ts', from: `name: '${name}'`, to: `name: '${name}-New'`, violated };
}

/**
 * One change for each value of the contract, in groups. A group changes values that do not hide each other, so one copy
 * of the kit tests all of them.
 */
export const mutations: Readonly<Record<string, readonly Mutation[]>> = {
  'smaller limits and other codes': [
    ofTitle(
      'titles one character shorter, and those of one character too short',
      title.least + 1,
      title.most - 1,
      'content-requests.title-too-long-refused',
      'content-requests.title-empty-refused',
    ),
    ofLifetime('lifetime divided by three', confirmation.about / 3, 'expiry.dead-late'),
    {
      what: 'workspaces of one character too short',
      file: 'limits.ts',
      from: `workspace: { least: ${workspace.least} }`,
      to: `workspace: { least: ${workspace.least + 1} }`,
      violated: 'workspaces.empty-refused',
    },
    ofCode(refusalRows.invalidArguments.code, 'content-requests.format-missing-refused'),
    ofCode(refusalRows.workspaceAmbiguous.code, 'workspaces.ambiguous-schedule-read'),
    ofCode(refusalRows.confirmationInvalid.code, 'confirmations.used-invalid'),
    ofCode(refusalRows.boardNotFound.code, 'image-proposals.board-unknown-refused'),
    ofCode(boundaryRows.malformedBody.code, 'bodies.not-json'),
    ofCode(boundaryRows.batchTooLarge.code, 'bodies.large-array'),
    ...boundaryErrors.flatMap(({ code, fixed, requirement = [] }) =>
      [requirement].flat().map((id) => (fixed ? ofCode(code, id) : ofOpenCode(code, id))),
    ),
  ],
  'larger limits and other headers': [
    ofTitle('titles one character longer', title.least, title.most + 1, 'content-requests.title-longest'),
    ofLifetime('lifetime doubled', confirmation.about * 2, 'expiry.alive-early'),
    ofHeader(headerRows.api.name, 'headers.beta-on-200'),
    ofHeader(headerRows.toolError.name, 'headers.tool-error-on-ambiguous'),
    ofHeader(headerRows.retryAfter.name, 'rate-limit.retry-after-header'),
    {
      what: `another value of ${headerRows.api.name}`,
      file: 'headers.ts',
      from: `constant: '${headerRows.api.value.constant}' },`,
      to: "constant: 'gamma' },",
      violated: 'headers.beta-on-401',
    },
    {
      what: 'a header added',
      file: 'headers.ts',
      from: '  retryAfter: {\n',
      to:
        "  tide: { name: 'x-service-tide', component: 'ServiceTide', on: 'every', value: 'text',\n" +
        "    slug: 'tide', meaning: 'The tide at the server.', example: 'low' },\n  retryAfter: {\n",
      violated: 'headers.tide-on-200',
    },
  ],
};

// Additions use names that no content specification will use.

/** A refusal that a server may give by its own rule. */
export const addedRefusal = {
  file: 'codes.ts',
  from: '} as const satisfies Readonly<Record<string, RefusalRow>>;',
  to:
    "  tideTooLow: { status: 200, code: 'tide_too_low', fixed: true, slug: 'tide-too-low',\n" +
    "    toolError: 'false', excuses: true, only: 'content.create_request',\n" +
    "    summary: 'The tide is too low', message: 'The tide is too low.' },\n" +
    '} as const satisfies Readonly<Record<string, RefusalRow>>;',
} as const;

const everyTool = '/** Every tool, in';
const balance = "  'credits.balance': creditsBalance,";

/** Declaration of a tool that lists tides, and its entry in the list of tools. */
const declaredTool = [
  {
    file: 'tools/tides-list.ts',
    from: '',
    to: `import { z } from 'zod';
import { date } from '../fields.ts';
import { tool } from './tool.ts';
import { byDefault, scopedResult, workspaceArgument } from './workspace.ts';

const tides = [{ day: '2027-01-01', name: 'Spring tide' }, { day: '2027-12-26', name: 'Neap tide' }];

export const tidesList = tool({
  schema: 'TidesList',
  slug: 'tides-list',
  topic: 'tides',
  tag: 'Tides',
  summary: 'List the tides',
  description: 'Days with a tide, the earliest first.',
  scoped: true,
  effect: undefined,
  bodyOptional: true,
  usual: {},
  argumentsShown: 'all',
  givesIds: false,
  success: 'tides.answers',
  requirements: {
    'tides.answers': { is: 'success', hint: 'Return the tides.' },
    'tides.tides': { is: 'member', member: 'tides', as: 'an array', hint: 'Send an array.' },
    'tides.sorted': { is: 'sorted', list: 'tides', by: 'day', hint: 'Sort the tides by day.' },
  },
  arguments: z.looseObject({ workspace: workspaceArgument }).describe('Whose tides to list.'),
  result: z.looseObject({ ...scopedResult, tides: z.array(z.looseObject({ day: date, name: z.string() })) }),
  examples: { year: { summary: 'Two', request: {}, response: { ok: true, tides, ...byDefault } } },
});
`,
  },
  { file: 'tools.ts', from: everyTool, to: `import { tidesList } from './tools/tides-list.ts';\n\n${everyTool}` },
  { file: 'tools.ts', from: balance, to: `  'tides.list': tidesList,\n${balance}` },
] as const;

/** A tool that lists tides, with its implementation in the stub. */
export const addedTool = [
  ...declaredTool,
  {
    file: '../../stub/server/tools/tides-list.ts',
    from: '',
    to: `import type { Tool } from '../behavior.ts';
import { scoped } from './scoped.ts';

const tides = ['2027-01-01', '2027-12-26'].map((day) => ({ day, name: 'A tide' }));

export const listTides: Tool<'tides.list'> = ({ place }) => scoped(place, { ok: true, tides });
`,
  },
  {
    file: '../../stub/server/tools/index.ts',
    from: "import { generateImages } from './images-generate.ts';",
    to: "import { generateImages } from './images-generate.ts';\nimport { listTides } from './tides-list.ts';",
  },
  {
    file: '../../stub/server/tools/index.ts',
    from: "  'credits.balance': readBalance,",
    to: "  'tides.list': listTides,\n  'credits.balance': readBalance,",
  },
] as const;
