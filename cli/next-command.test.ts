import { expect, test } from 'vitest';
import { aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { nextCommand } from './next-command.ts';

const baseUrl = 'https://api.example.test';
const untested = notTested('content-requests.a', '', [{ kind: 'effect', effect: 'writes' }]);
const of = (kind: string) => {
  const run = aRun([aRequirement('headers.beta'), untested]);
  return { ...run, target: { ...run.target, kind, baseUrl } };
};

test.each([
  ['url', {}, {}, `tck init ${baseUrl}`],
  ['url', {}, { npm_command: 'exec' }, `npx content-workspace-tck init ${baseUrl}`],
  ['url', {}, { npm_lifecycle_event: 'tck' }, `npm run -s tck -- init ${baseUrl}`],
  ['url', { insecure: true }, {}, `tck init ${baseUrl} --insecure`],
  ['config', { config: 'my config.json' }, {}, "tck plan --config 'my config.json' --allow proposals,writes"],
  ['config', { config: 'c', insecure: true }, {}, 'tck plan --config c --allow proposals,writes --insecure'],
  ['stub', {}, {}, undefined],
])('after a partial run of a %s with %j, in %j, the next command is: %s', (kind, options, env, command) => {
  expect(nextCommand(of(kind), options, env)).toBe(command);
});
