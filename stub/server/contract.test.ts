import { expect, test } from 'vitest';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { clientOf } from '../../test/stub/client.ts';
import { createCore } from '../core.ts';

const stub = createCore();
const call = clientOf(stub);

function expectToFit(name: SchemaName, value: unknown): void {
  const validate = validators[name];
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

/** An example request of the contract, which the stub accepts. */
const good = (tool: ToolName): object => Object.values(tools[tool].examples)[0]?.request ?? {};

test.each(toolNames)('%s answers as the published description says', (tool) => {
  const { body } = call(tool, good(tool));
  expectToFit(`${tools[tool].schema}Result`, body);
  expect(tools[tool].arguments.safeParse(good(tool)).success).toBe(true);
});

test('a dispatched run answers as the published description says', () => {
  const { confirmation_id } = call('images.generate', good('images.generate')).body;
  expectToFit('ImagesGenerateDispatch', call('images.generate', { ...good('images.generate'), confirmation_id }).body);
});

test('refusals and boundary errors answer as the published description says', () => {
  for (const args of [{ workspace: 'nowhere' }, { workspace: '' }])
    expectToFit('Refusal', call('schedule.read', args).body);
  expectToFit('Refusal', call('schedule.read', {}, { role: 'ambiguous' }).body);
  expectToFit('Refusal', call('library.get', { kind: 'x', id: 'x' }).body);
  const errors = [
    call('schedule.read', {}, { raw: '7' }),
    call('schedule.read', {}, { role: 'revoked' }),
    call('schedule.read', {}, { role: 'withoutAccess' }),
    call('schedule.write', {}),
  ];
  for (const { body } of errors) expectToFit('BoundaryErrorWithoutRetry', body);
  let last = call('credits.balance', {}, { role: 'throttled' });
  while (last.status === 200) last = call('credits.balance', {}, { role: 'throttled' });
  expectToFit('RateLimitError', last.body);
});
