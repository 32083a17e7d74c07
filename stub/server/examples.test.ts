import { describe, expect, test } from 'vitest';
import { type ExampleOf, type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { isRecord } from '../../suites/json.ts';
import { clientOf } from '../../test/stub/client.ts';
import { createStub } from '../index.ts';

/** Reduces a value to the members that an example shows. Examples show only the first items of a list. */
function asShown(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shown)) {
    return value.slice(0, shown.length).map((item, index) => asShown(item, shown[index]));
  }
  if (!isRecord(value) || !isRecord(shown)) return value;
  return Object.fromEntries(Object.keys(shown).map((name) => [name, asShown(value[name], shown[name])]));
}

describe('requests that are copied from the description work in the stub, and are answered as it shows', () => {
  test.each(toolNames)('%s', (tool: ToolName) => {
    const call = clientOf(createStub({ now: '2027-03-08T09:00:00Z' }));
    for (const { summary, request, response } of Object.values<ExampleOf<ToolName>>(tools[tool].examples)) {
      expect(asShown(call(tool, request).body, response), summary).toEqual(response);
    }
  });
});
