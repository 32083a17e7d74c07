import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { isRole, roles } from '../fixtures/roles.ts';
import { audit } from '../suites/engine/audit.ts';
import { mostCalls } from '../suites/engine/options.ts';
import type { RunResult } from '../suites/result.ts';
import { mostContentRequests } from '../suites/session/ceilings.ts';
import { parseAllow } from '../suites/target/allow.ts';
import { type KnownTarget, loadTarget } from '../suites/target/load.ts';
import { rehearsalOf } from '../suites/target/rehearsal.ts';
import { type SelectionOptions, selectionOf } from './run-selection.ts';
import { counted } from './status-words.ts';
import { lookOf } from './terminal/look.ts';
import { gapLines } from './terminal/sections.ts';

/** Options of `tck plan`, as they come from the command line. */
export interface PlanOptions extends SelectionOptions {
  url?: string | undefined;
  config?: string | undefined;
  allow?: string | undefined;
  insecure?: boolean | undefined;
  seed: number;
  json: boolean;
}

/** What a run would do. */
export interface Plan {
  baseUrl: string;
  allow: readonly string[];
  checks: number;
  notTested: number;
  /** Calls with each key, by its role; calls with none or with a bad one under `other`. */
  requests: Record<string, number>;
  /** The same at most: a run keeps to it, whatever the deployment does. */
  mostRequests: Record<string, number>;
  /** Never exceeded, whatever the deployment does. */
  maxImages: number;
  imagesConfirmed: number;
  contentRequestsCreated: number;
  proposals: number;
  /** What is odd about what was asked for. */
  notices: readonly string[];
}

export interface PlanSources extends Surroundings {
  embedded(seed: number): Promise<KnownTarget>;
}

/**
 * The body of `tck plan`: says what `tck run` with the same options would do, without sending anything. The run is rehearsed against the embedded stub, with the
 * same roles, settings and effects.
 */
export async function plan(options: PlanOptions, around: PlanSources): Promise<number> {
  const selection = selectionOf(options);
  const { url, config, insecure } = options;
  const allow = options.allow === undefined ? undefined : parseAllow(options.allow);
  const { target, notices } = await loadTarget({ url, config, insecure, allow }, around);
  const rehearsal = rehearsalOf(target, await around.embedded(options.seed));
  const rehearsed = await audit(rehearsal, { ...selection, seed: options.seed, signal: around.signal });
  const result = { ...rehearsed, target: { ...rehearsed.target, baseUrl: target.baseUrl, kind: target.kind } };
  const most = mostCalls(target, selection);
  const planned = planOf(result, { maxImages: target.maxImages, most, notices });
  around.stdout.write(options.json ? `${JSON.stringify(planned, null, 2)}\n` : planText(planned, result, around));
  return exitCodes.conformant;
}

function planOf(
  { requirements, timeline, leftBehind, summary, target }: RunResult,
  { maxImages, most, notices }: Pick<Plan, 'maxImages' | 'notices'> & { most: ReadonlyMap<string, number> },
): Plan {
  const checks = requirements.flatMap((requirement) => requirement.checks);
  const notTested = checks.filter(({ status }) => status === 'not-tested').length;
  const requests: Record<string, number> = {};
  for (const { credential } of timeline) {
    const whose = isRole(credential) ? credential : 'other';
    requests[whose] = (requests[whose] ?? 0) + 1;
  }
  return {
    baseUrl: target.baseUrl,
    allow: target.allow,
    checks: checks.length - notTested,
    notTested,
    requests,
    mostRequests: Object.fromEntries([...most].filter(([whose]) => requests[whose] !== undefined)),
    maxImages,
    imagesConfirmed: summary.imagesConfirmed,
    contentRequestsCreated: summary.contentRequestsCreated,
    proposals: leftBehind.proposals,
    notices,
  };
}

function planText(planned: Plan, result: RunResult, { stdout, env }: PlanSources): string {
  const look = { ...lookOf(stdout, env), width: 100 };
  const { requests, mostRequests } = planned;
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const rows = [...roles, 'other'].filter((name) => requests[name] !== undefined);
  return [
    `A run at ${planned.baseUrl} would make ${counted(planned.checks, 'check')}; allowed beyond reading: ${planned.allow.join(', ') || 'nothing'}.`,
    ...planned.notices.map((notice) => `note: ${notice}`),
    '',
    `${counted(total, 'request')} to a deployment that keeps to the document`,
    ...rows.map(
      (name) => `  ${name.padEnd(18)}${String(requests[name]).padStart(4)}, and never more than ${mostRequests[name]}`,
    ),
    '  (calls repeated after a 429 or a broken connection come on top)',
    `${counted(planned.imagesConfirmed, 'image')} confirmed, and never more than ${planned.maxImages}`,
    `${counted(planned.contentRequestsCreated, 'content request')} created, and never more than ${mostContentRequests}`,
    `${counted(planned.proposals, 'proposal')} that are not confirmed`,
    '',
    ...gapLines(look, result),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
