import type { RequirementId } from '../fixtures/requirements/model.ts';
import { kit } from '../suites/kit.ts';

/** Test runners for which `tck new story` writes a test. */
export const runners = ['node', 'vitest'] as const;

export type Runner = (typeof runners)[number];

/** The skeleton of a story. Its rule holds on the stub, so that the first run passes. */
export function storyTemplate(id: RequirementId): string {
  return `import { isPlainRequest, must, rule, story, succeeds } from '${kit.name}/stories';

export default story('${id}', {
  requirements: [
    rule(must('${id}', 'TODO: The server MUST …', 'TODO: where your team wrote it down'), {
      // Which responses the rule judges. A run also sends invalid requests; this selects requests without an error.
      applies: (exchange, seen) => isPlainRequest(exchange, 'schedule.read', seen),
      // Returns a finding, or undefined if the response is as expected.
      expect: (exchange) => succeeds(exchange, 'TODO: what to change in the server.'),
    }),
  ],
  async steps(t) {
    await t.send('read the schedule', { tool: 'schedule.read', args: t.here() });
  },
});
`;
}

/** A test that runs the story against the stub, without and with a violation. */
export function testTemplate(id: string, storyFile: string, runner: Runner): string {
  const isNode = runner === 'node';
  const imports = isNode
    ? "import assert from 'node:assert/strict';\nimport test from 'node:test';\n"
    : "import { expect, test } from 'vitest';\n";
  const equal = (status: string, options: string) =>
    isNode
      ? `assert.equal(await statusWith(${options}), '${status}');`
      : `expect(await statusWith(${options})).toBe('${status}');`;
  return `${imports}import { audit, defineTarget } from '${kit.name}';
import { createStub } from '${kit.name}/stub';
import story from './${storyFile}';

const id = '${id}';

/** The status of the requirement after a run against the stub with these faults. */
async function statusWith(faults) {
  const stub = createStub();
  for (const fault of faults) stub.faults.add(fault);
  const { baseUrl, dispatcher, keys, workspaces } = stub;
  const target = defineTarget({ baseUrl, dispatcher, keys: { primary: keys.primary }, workspaces });
  const { requirements } = await audit(target, { stories: [story], only: [id] });
  return requirements.find((requirement) => requirement.id === id).status;
}

test(\`the stub passes \${id}\`, async () => {
  ${equal('passed', '[]')}
});

test(\`a violation fails \${id}\`, async () => {
  // Replace the fault by one that violates your rule.
  ${equal('failed', "[{ tool: 'schedule.read', code: 'not_available', times: 100 }]")}
});
`;
}
