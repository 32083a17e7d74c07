import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { inProcess } from '../test/stub-target.ts';
import { nextCommand } from './next-command.ts';

test('a partial run names the next command: first a configuration, then the cost of side effects', async () => {
  const baseUrl = 'https://api.example.test';
  const partial = inProcess(createStub(), { kind: 'url', baseUrl, allow: ['proposals'] });
  const result = await audit(partial, { seed: 1, observe: false });
  expect(result).toMatchObject({ verdict: 'partial', complete: false });
  expect(nextCommand(result, {})).toBe(`tck init ${baseUrl}`);
  expect(nextCommand(result, {}, { npm_command: 'exec' })).toBe(`npx content-workspace-tck init ${baseUrl}`);
  expect(nextCommand(result, {}, { npm_lifecycle_event: 'tck' })).toBe(`npm run -s tck -- init ${baseUrl}`);
  expect(nextCommand(result, { insecure: true })).toBe(`tck init ${baseUrl} --insecure`);
  const configured = { ...result, target: { ...result.target, kind: 'config' as const } };
  expect(nextCommand(configured, { config: 'my config.json' })).toMatch(
    /^tck plan --config 'my config\.json' --allow proposals,(?:writes|spending)/,
  );
  expect(nextCommand(configured, { config: 'c.json', insecure: true })).toMatch(/ --insecure$/);
  const ofStub = { ...result, target: { ...result.target, kind: 'stub' as const } };
  expect(nextCommand(ofStub, {})).toBeUndefined();
});
