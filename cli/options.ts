import { effects } from '../fixtures/side-effects.ts';
import { choice, flag, integer, list, text } from './command-line/option.ts';

/** Options that several commands have. */

export const seed = integer('Seed of all random values', 0, 2 ** 32 - 1, 1);

export const json = flag('Print JSON');

export const out = text('Write the report to this folder', 'tck-report');

export const require = list('Fail unless these requirements are tested; all for every requirement');

export const reporter = choice('Also write annotations and a job summary', ['github']);

export const insecure = flag('Allow keys over plain HTTP to other machines');

export const config = text('Read the configuration of the deployment from this file, such as tck.config.json');

export const allow = text(`Allow these side effects, separated by commas (${effects.join(', ')}), or all, or none`);

export const maxDuration = integer(
  'End the run as inconclusive after this many seconds (default: twice what its requests need, at least 20 minutes)',
  1,
  86_400,
);

/** Exit codes of commands that end in a gate. */
export const gateExits = {
  0: 'the gate passed',
  1: 'the gate failed',
  2: 'wrong usage or configuration; no report',
  3: 'inconclusive, such as an unreachable target',
};

/** What a run tests, and what it is made of. */
export const selection = {
  only: list('Test these requirements only: topics, or globs on ids, separated by commas'),
  skip: list('Skip these requirements'),
  'as-of': text('Leave out requirements that are newer than this version of the kit, such as 0.1.0'),
  shard: text('Test one part of the requirements, such as 1/3; tck merge combines the reports'),
  observe: flag('Observe what the specification leaves open; --no-observe saves these requests', true),
  explore: integer('Send this many generated requests after the flows', 0, 1_000_000, 0),
  seed,
};
