import type { ToolName } from '../fixtures/contract/tools.ts';
import { isRole, roles } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';
import type { RunResult } from '../suites/result.ts';
import { mostContentRequests } from '../suites/session/budget.ts';
import { counted } from '../suites/usage/counted.ts';
import { requirementFigures } from '../suites/verdict.ts';
import { gapsOf } from './gaps.ts';
import { inColors, type Look } from './terminal/layout.ts';
import { gapLines } from './terminal/summary.ts';

/** Expected extent and limits of a run. */
export interface Plan {
  baseUrl: string;
  allow: readonly string[];
  /** Number of requirements that the run would test, and would not test. */
  tested: number;
  notTested: number;
  /** Expected requests by role. `other` counts requests without a valid key. */
  requests: Record<string, number>;
  /** Maximum requests by role. Never exceeded, whatever the deployment does. */
  mostRequests: Record<string, number>;
  /** Never exceeded, whatever the deployment does. 0 without `proposals`, or if no request asks for images. */
  maxImages: number;
  /** Never exceeded, whatever the deployment does. 0 without `writes`, or if no request can create one. */
  maxContentRequests: number;
  /** Estimated duration in seconds, if each response takes `assumedSeconds`. */
  estimatedSeconds: number;
  /** Maximum duration in seconds, without waits for expiry and rate limits. */
  maxSeconds: number;
  imagesConfirmed: number;
  contentRequestsCreated: number;
  proposals: number;
  /** Notices about the options of the run. */
  notices: readonly string[];
}

/** The part of a plan that a rehearsal does not show. */
interface PlanOptions extends Pick<Plan, 'maxImages' | 'maxSeconds' | 'notices'> {
  most: ReadonlyMap<string, number>;
  /** Side effects of the selected stories. Default: all allowed side effects. */
  uses?: ReadonlySet<Effect> | undefined;
}

/** Creates a plan from the result of a rehearsal. */
export function planOf(rehearsed: RunResult, { maxImages, maxSeconds, most, notices, uses }: PlanOptions): Plan {
  const { requirements, timeline, leftBehind, summary, target } = rehearsed;
  const { tested, notTested } = requirementFigures(requirements);
  const sent = Map.groupBy(timeline, ({ credential }) => (isRole(credential) ? credential : 'other'));
  const requests = Object.fromEntries([...sent].map(([whose, all]) => [whose, all.length]));
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

/** Typical response time of a nearby deployment, in seconds. */
const assumedSeconds = 0.1;

/** Average number of concurrent requests, measured with a stub that delays responses by 100 ms. */
const atOnce = 5;

/** Image requests are sequential. Other requests run concurrently. */
function estimatedSeconds(timeline: RunResult['timeline']): number {
  const chain = timeline.filter(({ tool }) => tool === 'images.generate').length;
  return Math.ceil(Math.max(chain, timeline.length / atOnce) * assumedSeconds);
}

function spendingText({ imagesConfirmed, maxImages }: Plan): string {
  return maxImages === 0
    ? 'No image can be confirmed, because the run may not spend'
    : `${counted(imagesConfirmed, 'image')} confirmed on a conforming deployment, at most ${maxImages} in any case`;
}

/** Text of a plan. Ends with a line feed. */
export function planText(planned: Plan, result: RunResult, look: Look): string {
  const { requests, mostRequests } = planned;
  const known = result.requirements.length;
  const sum = (numbers: Readonly<Record<string, number>>) => Object.values(numbers).reduce((all, one) => all + one, 0);
  const [total, most] = [sum(requests), sum(mostRequests)];
  const rows = [...roles, 'other'].filter((name) => requests[name] !== undefined);
  const lines = [
    `A run at ${planned.baseUrl} would test ${planned.tested} of ${counted(known, 'requirement')}.`,
    `Allowed side effects: ${planned.allow.join(', ') || 'none'}.`,
    ...planned.notices.map((notice) => `note: ${notice}`),
    '',
    `${counted(total, 'request')} to a conforming deployment, at most ${most} in any case:`,
    ...rows.map((name) => {
      const whose = name === 'other' ? 'no valid key' : name;
      return `  ${whose.padEnd(18)}${String(requests[name]).padStart(4)}, at most ${mostRequests[name]}`;
    }),
    'A run may also repeat requests after a 429 or a broken connection.',
    spendingText(planned),
    `${counted(planned.contentRequestsCreated, 'content request')} created, at most ${planned.maxContentRequests}`,
    `${counted(planned.proposals, 'proposal')} left unconfirmed`,
    `About ${counted(planned.estimatedSeconds, 'second')} if a response takes ${assumedSeconds} s, at most ` +
      `${counted(Math.ceil(planned.maxSeconds / 60), 'minute')}, plus waits for expiry and rate limits`,
    '',
    ...gapLines(gapsOf(result), known, Number.POSITIVE_INFINITY),
  ];
  return inColors(look, `${lines.join('\n').trimEnd()}\n`);
}
