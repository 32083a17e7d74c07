// Stories of a team in TypeScript, with each major of vitest that the package says works.
import { audit, defineTarget } from 'content-workspace-tck';
import { type Completed, hasHeader, must, rule, type Seen, type Steps, story } from 'content-workspace-tck/stories';
import { createStub } from 'content-workspace-tck/stub';
import { conformance } from 'content-workspace-tck/vitest';
import { expect, test } from 'vitest';

const typed = story('acme types', {
  requirements: [
    rule(must('acme.typed', 'Every response MUST have a content type.', 'ACME guide, 1'), {
      applies: ({ request }: Completed, { successes }: Seen) => request.tool !== null && successes.any,
      expect: (exchange) => hasHeader(exchange, 'content-type', 'Add the header.'),
    }),
  ],
  steps: async (t: Steps) => {
    const { response } = await t.send('read', { tool: 'schedule.read', args: t.here() });
    if (response.status !== 200) t.cannot('the schedule is not readable');
  },
});

function target() {
  const { baseUrl, keys, dispatcher } = createStub();
  return defineTarget({ baseUrl, keys, dispatcher });
}

test('a story runs against the stub', async () => {
  const { requirements } = await audit(target(), { stories: [typed], only: ['acme'] });
  expect(requirements.find(({ id }) => id === 'acme.typed')?.status).toBe('passed');
});

conformance(target, { stories: [typed], only: ['acme'] });
