// Promises of a team beyond the specification. docs/own-stories.md explains them.
import {
  describe,
  hasHeader,
  isPlainRequest,
  isSuccess,
  must,
  respondsWithin,
  rule,
  should,
  story,
} from 'content-workspace-tck/stories';

// A story without steps: its rule judges the responses of all other stories.
export const tracing = story('acme tracing', {
  requirements: [
    rule(must('acme.request-id', 'Every response MUST carry `x-request-id`.', 'ACME platform guide, 3.1'), {
      everyResponse: true,
      applies: () => true,
      expect: (exchange) => hasHeader(exchange, 'x-request-id', 'Set x-request-id in the gateway.'),
    }),
  ],
});

export const speed = story('acme speed', {
  requirements: [
    rule(should('acme.schedule-fast', '`schedule.read` SHOULD respond within 500 ms.', 'ACME service levels, 2'), {
      applies: (exchange, seen) => isPlainRequest(exchange, 'schedule.read', seen),
      expect: (exchange) => respondsWithin(exchange, 500, 'Cache the schedule of the week.'),
    }),
  ],
  async steps(t) {
    // The kit reports slow responses from the third one, because one can be a pause of the network.
    for (let time = 1; time <= 5; time += 1) {
      await t.send(`read the schedule, time ${time}`, { tool: 'schedule.read', args: t.here() });
    }
  },
});

const statement = 'The key of another account MUST NOT read the schedule of the workspace.';

export const privacy = story('acme privacy', {
  needs: { roles: ['primary', 'otherAccount'], settings: ['workspace'] },
  requirements: [
    rule(must('acme.workspace-private', statement, 'ACME tenant contract, 4', 'data-isolation'), {
      // Other stories send requests of this key, too. The rule judges those that name a workspace of the tenant.
      applies: ({ request, sender }, { knowledge }) =>
        request.tool === 'schedule.read' &&
        sender.role === 'otherAccount' &&
        knowledge.workspaces.some(
          ({ account, workspace }) => account === 'own' && workspace === request.args?.workspace,
        ),
      // The rule judges a refusal only after the tenant sent the same request with success.
      twin: ({ request }, seen) => ({
        succeeded: seen.successes.has({
          role: 'primary',
          tool: 'schedule.read',
          args: request.args ?? {},
          exact: true,
        }),
      }),
      expect: (exchange) =>
        isSuccess(exchange)
          ? {
              expected: 'a refusal',
              actual: describe(exchange),
              hint: 'Look up the workspace in the account of the key.',
              exchanges: [exchange],
            }
          : undefined,
    }),
  ],
  async steps(t) {
    const args = { workspace: t.setting('workspace') };
    await t.send('read as the tenant', { tool: 'schedule.read', args });
    await t.send('read as another account', { as: 'otherAccount', tool: 'schedule.read', args });
  },
});
