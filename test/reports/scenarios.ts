import { toolNames } from '../../fixtures/contract/tools.ts';
import { requirements } from '../../suites/requirements.ts';
import {
  type Missing,
  type RequirementResult,
  type RunResult,
  statuses,
  type TimelineEntry,
} from '../../suites/result.ts';
import { aFinding, anExchange, aRequirement, aRun } from './results.ts';

/** All requirements of the catalogue with the given outcomes. Default: passed. */
function catalogue(
  outcome: (id: string, index: number) => Partial<RequirementResult> | undefined = () => undefined,
): RequirementResult[] {
  return requirements.map((requirement, index) => {
    const over = { ...requirement, durationMs: 3 + (index % 40), ...outcome(requirement.id, index) };
    return aRequirement(requirement.id, over);
  });
}

const credentials = ['primary', 'ambiguous', 'otherAccount', 'no credential', 'unknown key', 'throttled'];

/** `count` requests, several at a time, followed by a burst of 429 responses and a wait. */
function aTimeline(count: number): TimelineEntry[] {
  const calls = Array.from({ length: count }, (_, index) => ({
    atMs: Math.floor(index / 6) * 5,
    durationMs: 2 + ((index * 7) % 9),
    credential: credentials[index % credentials.length] ?? 'primary',
    tool: toolNames[index % toolNames.length] ?? null,
    status: index % 6 === 3 || index % 6 === 4 ? 401 : 200,
  }));
  const endMs = (calls.at(-1)?.atMs ?? 0) + 20;
  const capped = Array.from({ length: 5 }, (_, index) => ({
    atMs: endMs + index * 2,
    durationMs: 1,
    credential: 'throttled',
    tool: 'schedule.read',
    status: 429,
  }));
  return [
    ...calls,
    ...capped,
    { atMs: endMs + 41_020, durationMs: 4, credential: 'throttled', tool: 'schedule.read', status: 200 },
    { atMs: endMs + 41_030, durationMs: 10, credential: 'primary', tool: 'images.generate', status: null },
  ];
}

/** Exchanges with IDs from 1, distributed over all tools. */
function exchanges(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const tool = toolNames[index % toolNames.length] ?? null;
    return anExchange(index + 1, { tool, credential: credentials[index % credentials.length] ?? 'primary' });
  });
}

/** The first `count` requirements of the catalogue failed, each with a separate cause. */
function failures(count: number) {
  return catalogue((id, index) => {
    if (index >= count) return undefined;
    // Causes ignore tools and numbers, so the texts must differ in letters.
    const rule = id.replace('.', ' ').replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    const finding = aFinding({
      expected: `a refusal with code \`tenant_api.malformed_body\` (rule ${rule})`,
      actual: `a result with \`ok\` true (rule ${rule})`,
      hint: `Look at where ${rule} is decided: a body that is not an object is refused before the arguments are read.`,
      exchanges: [index + 1, index + 2],
    });
    return { findings: [finding] };
  });
}

const observations = [
  { id: 'rate-limit.cap', question: 'How many calls a minute may a key make?', values: [600], exchanges: [1] },
  {
    id: 'surface.codes',
    question: 'Which codes does a 403 carry?',
    values: ['tenant_mcp.surface_disabled', 'tenant_mcp.account_disabled', 'tenant_mcp.no_access'],
    exchanges: [2, 3],
  },
  {
    id: 'library.kinds',
    question: 'Which kinds of items are there?',
    values: ['image', 'video', 'note'],
    exchanges: [4],
  },
];

const images = { imagesRequested: 6, imagesConfirmed: 6, imagesWorstCase: 8 };

/** A complete and conformant run. */
export function allGreen(): RunResult {
  return aRun(catalogue(), {
    exchanges: exchanges(12),
    timeline: aTimeline(420),
    observations,
    target: { ...aRun([]).target, allow: ['proposals', 'writes', 'spending', 'throttling', 'waiting'], clock: true },
    summary: { ...aRun(catalogue()).summary, requests: 428, ...images, contentRequestsCreated: 19 },
    leftBehind: {
      contentRequests: [{ pieceId: 'pc_91ab', workspace: 'north', title: 'run-7f3a title of 1' }],
      runs: [{ runId: 'img_run_12', workspace: 'north', images: 1 }],
      proposals: 7,
    },
  });
}

/** One failed requirement, with a finding for every tool. */
export function oneFinding(): RunResult {
  const findings = toolNames.map((tool, index) =>
    aFinding({
      want: { sameFor: 'every credential' },
      expected: 'status 401 with the same body for a revoked as for an unknown credential',
      actual: 'status 401 with another body for a revoked as for an unknown credential: `error.message` differs',
      hint: `Let ${tool} answer every credential that does not resolve from one place, without looking at why.`,
      exchanges: [index + 1, index + 2],
    }),
  );
  return aRun(
    catalogue((id) => {
      if (id !== 'authentication.revoked-like-absent') return undefined;
      return { findings };
    }),
    { exchanges: exchanges(12), timeline: aTimeline(420), observations },
  );
}

/** Forty failed requirements, each with a separate cause. */
export function fortyFindings(): RunResult {
  return aRun(failures(40), { exchanges: exchanges(60), timeline: aTimeline(420), observations });
}

/** A run with one key and no side effects, so many requirements are not tested. */
export function readOnly(): RunResult {
  const idle = (reason: string, missing: Missing[]) => ({ status: 'not-tested' as const, reason, missing });
  return aRun(
    catalogue((id) => {
      if (/^(image-proposals|race|confirmations)/.test(id)) {
        return idle('images are not asked for', [
          { kind: 'effect', effect: 'proposals' },
          { kind: 'effect', effect: 'spending' },
        ]);
      }
      if (/^expiry/.test(id))
        return idle('no time passes', [{ kind: 'clock' }, { kind: 'effect', effect: 'proposals' }]);
      if (/^content-requests/.test(id)) return idle('nothing is created', [{ kind: 'effect', effect: 'writes' }]);
      if (/^surface/.test(id)) return idle('no key', [{ kind: 'role', role: 'withoutAccess' }]);
      if (/^library.*item/.test(id)) return idle('the library is empty', [{ kind: 'data', what: 'a library item' }]);
      return undefined;
    }),
    {
      exchanges: exchanges(5),
      timeline: aTimeline(60),
      observations: observations.slice(2),
      target: { ...aRun([]).target, roles: ['primary'], allow: [] },
      notices: ['`primary` resolves to no workspace by itself; the kit works in `north`, the first of its list.'],
    },
  );
}

/** A run that was interrupted after about a third of the requirements. */
export function cutShort(): RunResult {
  return aRun(
    catalogue((_, index) => {
      if (index < 60) return undefined;
      const reason = 'the run ended before it was tested';
      return { status: 'not-tested', reason, missing: [{ kind: 'interruption' }] };
    }),
    {
      exchanges: exchanges(8),
      timeline: aTimeline(140),
      observations: [],
      interrupted: true,
    },
  );
}

/** One requirement of each status, so the page contains every color. */
export function everyStatus(): RunResult {
  const finding = aFinding();
  return aRun(
    statuses.map((status) => ({
      ...aRequirement(`bodies.${status}`, { status, level: status === 'warned' ? 'should' : 'must' }),
      reason: `why it ended as ${status}`,
      findings: status === 'failed' || status === 'warned' ? [finding] : [],
      ...(status === 'known-failure'
        ? { knownFailure: { reason: 'r', issue: 'https://example.test/1', owner: 'o', expires: '2026-04-01' } }
        : {}),
    })),
    { exchanges: exchanges(3), timeline: aTimeline(30), observations, notices: ['a notice'] },
  );
}
