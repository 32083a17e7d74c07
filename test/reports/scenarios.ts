import { toolNames } from '../../fixtures/contract/tools.ts';
import { requirements } from '../../suites/requirements.ts';
import { type Missing, type RequirementResult, type RunResult, statuses } from '../../suites/result.ts';
import { aFinding, anExchange, aRequirement, aRun } from './results.ts';

/** All requirements of the catalogue with the given outcomes. Default: passed. */
function catalogue(
  outcome: (id: string, index: number) => Partial<RequirementResult> | undefined = () => undefined,
): RequirementResult[] {
  return requirements.map((requirement, index) => {
    const over = { ...requirement, ...outcome(requirement.id, index) };
    return aRequirement(requirement.id, over);
  });
}

/** Exchanges with IDs from 1, distributed over all tools. */
function exchanges(count: number) {
  const credentials = ['primary', 'ambiguous', 'otherAccount', 'no credential', 'unknown key', 'throttled'];
  return Array.from({ length: count }, (_, index) => {
    const tool = toolNames[index % toolNames.length] ?? null;
    return anExchange(index + 1, { tool, credential: credentials[index % credentials.length] ?? 'primary' });
  });
}

const observations = [
  { id: 'rate-limit.cap', question: 'How many calls a minute may a key make?', values: [600], exchanges: [1] },
  { id: 'library.kinds', question: 'Which kinds of items are there?', values: ['image', 'note'], exchanges: [4] },
];

/** A complete and conformant run. */
export function allGreen(): RunResult {
  const images = { imagesRequested: 6, imagesConfirmed: 6, imagesWorstCase: 8 };
  return aRun(catalogue(), {
    exchanges: exchanges(12),
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
  const outcome = (id: string) => (id === 'authentication.revoked-like-absent' ? { findings } : undefined);
  return aRun(catalogue(outcome), { exchanges: exchanges(12), observations });
}

/** Forty failed requirements, each with a separate cause. */
export function fortyFindings(): RunResult {
  const failures = catalogue((id, index) => {
    if (index >= 40) return undefined;
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
  return aRun(failures, { exchanges: exchanges(60), observations });
}

/** What requirements lack in a run with one key and no side effects, by the start of their IDs. */
const lacking: readonly (readonly [RegExp, reason: string, ...Missing[]])[] = [
  [
    /^(image-proposals|race|confirmations)/,
    'images are not asked for',
    { kind: 'effect', effect: 'proposals' },
    { kind: 'effect', effect: 'spending' },
  ],
  [/^expiry/, 'no time passes', { kind: 'clock' }, { kind: 'effect', effect: 'proposals' }],
  [/^content-requests/, 'nothing is created', { kind: 'effect', effect: 'writes' }],
  [/^surface/, 'no key', { kind: 'role', role: 'withoutAccess' }],
  [/^library.*item/, 'the library is empty', { kind: 'data', what: 'a library item' }],
];

/** A run with one key and no side effects, so many requirements are not tested. */
export function readOnly(): RunResult {
  const outcome = (id: string) => {
    const [, reason, ...missing] = lacking.find(([ids]) => ids.test(id)) ?? [];
    return reason === undefined ? undefined : { status: 'not-tested' as const, reason, missing };
  };
  return aRun(catalogue(outcome), {
    exchanges: exchanges(5),
    observations: observations.slice(1),
    target: { ...aRun([]).target, roles: ['primary'], allow: [] },
    notices: ['`primary` resolves to no workspace by itself; the kit works in `north`, the first of its list.'],
  });
}

/** One requirement of each status, so the page contains every color. */
export function everyStatus(): RunResult {
  const knownFailure = { reason: 'r', issue: 'https://example.test/1', owner: 'o', expires: '2026-04-01' };
  const all = statuses.map((status) => ({
    ...aRequirement(`bodies.${status}`, { status, level: status === 'warned' ? 'should' : 'must' }),
    reason: `why it ended as ${status}`,
    findings: status === 'failed' || status === 'warned' ? [aFinding()] : [],
    ...(status === 'known-failure' ? { knownFailure } : {}),
  }));
  return aRun(all, { exchanges: exchanges(3), observations, notices: ['a notice'] });
}
