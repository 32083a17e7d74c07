import { boundaryRows, refusalRows } from '../../../fixtures/contract/codes.ts';
import { headerRows } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';

/** A change of one value of the contract. */
export interface Mutation {
  readonly what: string;
  /** A file of `fixtures/contract`, and the text in it that changes. */
  readonly file: 'limits.ts' | 'codes.ts' | 'headers.ts';
  readonly from: string;
  readonly to: string;
  /** A requirement that a server with the old value violates, by its id after the change. */
  readonly violated: string;
}

const { title, workspace, confirmation } = limits;
const titleRow = (least: number, most: number) => `title: { least: ${least}, most: ${most} }`;

function ofTitle(what: string, least: number, most: number, violated: string): Mutation {
  return { what, file: 'limits.ts', from: titleRow(title.least, title.most), to: titleRow(least, most), violated };
}

function ofLifetime(what: string, minutes: number, violated: string): Mutation {
  const from = `lifetimeOf(${confirmation.about})`;
  return { what, file: 'limits.ts', from, to: `lifetimeOf(${minutes})`, violated };
}

function ofCode(code: string, violated: string): Mutation {
  return {
    what: `${code} renamed`,
    file: 'codes.ts',
    from: `code: '${code}'`,
    to: `code: '${code}_renamed'`,
    violated,
  };
}

function ofHeader(name: string, violated: string): Mutation {
  return { what: `${name} renamed`, file: 'headers.ts', from: `name: '${name}'`, to: `name: '${name}-New'`, violated };
}

/** Each value of the contract, changed. */
export const mutations: readonly Mutation[] = [
  ofTitle('titles one character shorter', title.least, title.most - 1, 'content-requests.title-too-long-refused'),
  ofTitle('titles one character longer', title.least, title.most + 1, 'content-requests.title-longest'),
  ofTitle('titles of one character too short', title.least + 1, title.most, 'content-requests.title-empty-refused'),
  {
    what: 'workspaces of one character too short',
    file: 'limits.ts',
    from: `workspace: { least: ${workspace.least} }`,
    to: `workspace: { least: ${workspace.least + 1} }`,
    violated: 'workspaces.empty-refused',
  },
  ofLifetime('lifetime halved', confirmation.about / 2, 'expiry.dead-late'),
  ofLifetime('lifetime doubled', confirmation.about * 2, 'expiry.alive-early'),
  ofCode(refusalRows.workspaceAmbiguous.code, 'workspaces.ambiguous-schedule-read'),
  ofCode(refusalRows.invalidArguments.code, 'content-requests.format-missing-refused'),
  ofCode(refusalRows.confirmationInvalid.code, 'confirmations.used-invalid'),
  ofCode(refusalRows.boardNotFound.code, 'image-proposals.board-unknown-refused'),
  ofCode(boundaryRows.malformedBody.code, 'bodies.not-json'),
  ofCode(boundaryRows.batchTooLarge.code, 'bodies.large-array'),
  ofCode(boundaryRows.rateLimited.code, 'rate-limit.code'),
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
      "  region: { name: 'x-service-region', component: 'ServiceRegion', on: 'every', value: 'text',\n" +
      "    slug: 'region', meaning: 'The region that served the request.', example: 'eu-1' },\n  retryAfter: {\n",
    violated: 'headers.region-on-200',
  },
  {
    what: 'the code of a 401 fixed',
    file: 'codes.ts',
    from: `code: '${boundaryRows.unauthenticated.code}',\n    fixed: false,`,
    to: "code: 'tenant_api.unauthenticated',\n    fixed: true,",
    violated: 'authentication.code',
  },
];

/** A refusal that the service may give by a rule of its own, with a member of its own. */
export const addedRefusal = {
  file: 'codes.ts',
  from: '} as const satisfies Readonly<Record<string, RefusalRow>>;',
  to:
    "  quotaExhausted: { status: 200, code: 'quota_exhausted', fixed: true, slug: 'quota-exhausted',\n" +
    "    toolError: 'false', excuses: true, only: 'content.create_request',\n" +
    "    fields: { resets_in_days: { type: 'integer', meaning: 'Days until it resets.', example: 3 } },\n" +
    "    summary: 'The quota is used', message: 'The quota is used.' },\n" +
    '} as const satisfies Readonly<Record<string, RefusalRow>>;',
} as const;

/** A tool that lists holidays: its declaration, its place in the list of tools, and its function of the stub. */
export const addedTool = [
  {
    file: 'tools/calendar-holidays.ts',
    from: '',
    to: `import { z } from 'zod';
import { date } from '../fields.ts';
import { tool } from './tool.ts';
import { byDefault, scopedResult, workspaceArgument } from './workspace.ts';

const holidays = [{ day: '2027-01-01', name: 'New Year' }, { day: '2027-12-26', name: 'Boxing Day' }];

export const calendarHolidays = tool({
  schema: 'CalendarHolidays',
  slug: 'calendar-holidays',
  topic: 'calendar',
  tag: 'Calendar',
  summary: 'List the holidays',
  description: 'Days on which nothing is published, the earliest first.',
  scoped: true,
  reads: true,
  bodyOptional: true,
  usual: {},
  success: 'calendar.answers',
  requirements: {
    'calendar.answers': { is: 'success', hint: 'Return the holidays.' },
    'calendar.holidays': { is: 'member', member: 'holidays', as: 'an array', hint: 'Send an array.' },
    'calendar.sorted': { is: 'sorted', list: 'holidays', by: 'day', hint: 'Sort the holidays by day.' },
  },
  arguments: z.looseObject({ workspace: workspaceArgument }).describe('Whose holidays to list.'),
  result: z.looseObject({ ...scopedResult, holidays: z.array(z.looseObject({ day: date, name: z.string() })) }),
  examples: { year: { summary: 'Two', request: {}, response: { ok: true, holidays, ...byDefault } } },
});
`,
  },
  {
    file: 'tools.ts',
    from: '/** Every tool, in',
    to: "import { calendarHolidays } from './tools/calendar-holidays.ts';\n\n/** Every tool, in",
  },
  {
    file: 'tools.ts',
    from: "  'credits.balance': creditsBalance,",
    to: "  'calendar.holidays': calendarHolidays,\n  'credits.balance': creditsBalance,",
  },
  {
    file: '../../stub/server/tools/index.ts',
    from: "  'credits.balance': readBalance,",
    to:
      "  'calendar.holidays': ({ place }) => scoped(place, { ok: true, holidays: [{ day: '2027-01-01' }, " +
      "{ day: '2027-12-26' }].map((each) => ({ ...each, name: 'A day off' })) }),\n  'credits.balance': readBalance,",
  },
  {
    file: '../../stub/server/tools/index.ts',
    from: "import { remembered } from './remembered.ts';",
    to: "import { remembered } from './remembered.ts';\nimport { scoped } from './scoped.ts';",
  },
] as const;
