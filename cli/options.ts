// Options that several commands share.

import { effects } from '../fixtures/side-effects.ts';
import { flag, integer, list, text } from './command-line/option.ts';

export const json = flag('Print JSON');

export const out = text('Write the report to this folder', 'tck-report');

export const knownFailures = text('YAML or JSON file that lists accepted failures');

export const har = text('Write all requests and responses to this HAR file, without keys');

export const label = text('Text to show in the report, such as a build or a commit');

export const require = list(
  'Fail the gate unless these requirements are tested: comma-separated topics or globs on IDs, or all',
);

export const insecure = flag('Also send keys over plain HTTP to other machines');

export const config = text('Configuration file (default: none)');

export const commands = flag(
  'Run the commands of the configuration; --no-commands rejects a configuration with commands',
  true,
);

export const allow = text(
  `Comma-separated side effects to allow: ${effects.join(', ')}, or all, or none; overrides the configuration`,
);

export const maxDuration = integer(
  'End the run as inconclusive after this many seconds (default: twice the estimated time, at least 20 minutes)',
  1,
  86_400,
);

/** Exit codes of commands that apply a gate. */
export const gateExits = {
  0: 'the gate passed',
  1: 'the gate failed',
  2: 'wrong usage or configuration; no report',
  3: 'inconclusive: something errored, or nothing was tested',
};

/** Options that select the requirements and the requests of a run. */
export const selection = {
  only: list('Test only these requirements: comma-separated topics or globs on IDs; see tck list'),
  skip: list('Leave out these requirements: comma-separated topics or globs on IDs'),
  observe: flag('Answer open questions of the specification; --no-observe sends fewer requests', true),
  explore: integer('Send this many generated requests after the usual ones', 0, 1_000_000, 0),
  seed: integer('Seed of all random values', 0, 2 ** 32 - 1, 1),
};
