import { effects } from '../fixtures/side-effects.ts';
import { choice, flag, integer, list, text } from './command-line/option.ts';

/** Options that several commands have. */

export const seed = integer('Seed of all random values', 0, 2 ** 32 - 1, 1);

export const json = flag('Print JSON');

export const out = text('Write the report to this folder', 'tck-report');

export const require = list('Fail the gate unless these are tested: topics or globs, separated by commas, or all');

export const reporter = choice('Also write annotations and a job summary for GitHub Actions', ['github']);

export const insecure = flag('Send keys over plain HTTP to other machines, too');

export const config = text('Read the configuration from this file; none is read unless given');

export const commands = flag(
  'Run the commands that the configuration names; --no-commands refuses such a configuration',
  true,
);

export const allow = text(
  `Allow these side effects, not the configured ones, separated by commas: ${effects.join(', ')}; or all, or none`,
);

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
  3: 'inconclusive: something errored, or nothing was tested',
};

/** What a run tests, and what it is made of. */
export const selection = {
  only: list('Test only these requirements: topics or globs on ids, separated by commas; see tck list'),
  skip: list('Leave out these requirements, in the same form'),
  'as-of': text('Leave out requirements that the kit added after this version, such as 0.1.0'),
  shard: text('Test one part of the requirements, such as 1/3; tck merge combines the reports'),
  observe: flag('Observe what the specification leaves open; --no-observe sends fewer requests', true),
  explore: integer('Send this many generated requests after the usual ones', 0, 1_000_000, 0),
  seed,
};
