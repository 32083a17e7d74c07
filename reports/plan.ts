import type { ToolName } from '../fixtures/contract/tools.ts';
import { isRole, roles } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';
import type { RunResult } from '../suites/result.ts';
import { mostContentRequests } from '../suites/session/ceilings.ts';
import { figuresOf } from './figures.ts';
import { counted } from './status-words.ts';
import type { Look } from './terminal/layout.ts';
import { gapLines } from './terminal/sections.ts';

/** What a run would do. */
export interface Plan {
  baseUrl: string;
  allow: readonly string[];
  /** How many requirements it would test, and how many it would not. */
  tested: number;
  notTested: number;
  /** Calls with each key, by its role; calls with none or with a bad one under `other`. */
  requests: Record<string, number>;
  /** The same at most: a run keeps to it, whatever the deployment does. */
  mostRequests: Record<string, number>;
  /** Never exceeded, whatever the deployment does. 0 without 'proposals', and if no request asks for images. */
  maxImages: number;
  /** Never exceeded, whatever the deployment does. 0 without 'writes', and if no request may create one. */
  maxContentRequests: number;
  /** About how long it takes in seconds, if every response takes `assumedSeconds`. */
  estimatedSeconds: number;
  /** The longest that it takes, in seconds, beside what it waits for the deployment's time to pass. */
  maxSeconds: number;
  imagesConfirmed: number;
  contentRequestsCreated: number;
  proposals: number;
  /** What is odd about what was asked for. */
  notices: readonly string[];
}

/** The plan that a rehearsal makes. */
export function planOf(
  { requirements, timeline, leftBehind, summary, target }: RunResult,
  {
    maxImages,
    maxSeconds,
    most,
    notices,
    uses,
  }: Pick<Plan, 'maxImages' | 'maxSeconds' | 'notices'> & {
    most: ReadonlyMap<string, number>;
    /** Side effects that the chosen flows use; every one that is allowed by default. */
    uses?: ReadonlySet<Effect> | undefined;
  },
): Plan {
  const { tested, notTested } = figuresOf({ requirements }).requirements;
  const requests: Record<string, number> = {};
  for (const { credential } of timeline) {
    const whose = isRole(credential) ? credential : 'other';
    requests[whose] = (requests[whose] ?? 0) + 1;
  }
  const mayUse = (effect: Effect, tool: ToolName) =>
    target.allow.includes(effect) &&
    (uses === undefined || uses.has(effect) || timeline.some((sent) => sent.tool === tool));
  return {
    baseUrl: target.baseUrl,
    allow: target.allow,
    tested,
    notTested,
    requests,
    mostRequests: Object.fromEntries([...most].filter(([whose]) => requests[whose] !== undefined)),
    maxImages: mayUse('proposals', 'images.generate') ? maxImages : 0,
    maxContentRequests: mayUse('writes', 'content.create_request') ? mostContentRequests : 0,
    estimatedSeconds: estimatedSeconds(timeline),
    maxSeconds,
    imagesConfirmed: summary.imagesConfirmed,
    contentRequestsCreated: summary.contentRequestsCreated,
    proposals: leftBehind.proposals,
    notices,
  };
}

/** A usual response of a deployment that is not far away, in seconds. */
const assumedSeconds = 0.1;

/** Requests that are under way at once, on average: measured with the stub behind a delay of 100 ms. */
const atOnce = 5;

/** Requests for images form one chain; the others go out beside it. */
function estimatedSeconds(timeline: RunResult['timeline']): number {
  const chain = timeline.filter(({ tool }) => tool === 'images.generate').length;
  return Math.ceil(Math.max(chain, timeline.length / atOnce) * assumedSeconds);
}

const shownName = (name: string) => (name === 'other' ? 'no valid key' : name);

/** The same for people. Ends with a line feed. */
export function planText(planned: Plan, result: RunResult, look: Look): string {
  const { requests, mostRequests } = planned;
  const known = result.requirements.length;
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const rows = [...roles, 'other'].filter((name) => requests[name] !== undefined);
  return [
    `A run at ${planned.baseUrl} would test ${planned.tested} of ${counted(known, 'requirement')}.`,
    `Allowed side effects: ${planned.allow.join(', ') || 'none'}.`,
    ...planned.notices.map((notice) => `note: ${notice}`),
    '',
    `${counted(total, 'request')} to a conforming deployment; "at most" holds for every deployment`,
    ...rows.map(
      (name) => `  ${shownName(name).padEnd(18)}${String(requests[name]).padStart(4)}, at most ${mostRequests[name]}`,
    ),
    'A run may also repeat requests after a 429 or a broken connection.',
    `${counted(planned.imagesConfirmed, 'image')} confirmed, at most ${planned.maxImages}`,
    `${counted(planned.contentRequestsCreated, 'content request')} created, at most ${planned.maxContentRequests}`,
    `${counted(planned.proposals, 'proposal')} left unconfirmed`,
    `About ${counted(planned.estimatedSeconds, 'second')} if a response takes ${assumedSeconds} s, at most ` +
      `${counted(Math.ceil(planned.maxSeconds / 60), 'minute')}, plus waits for expiry and rate limits`,
    '',
    ...gapLines(look, result),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
