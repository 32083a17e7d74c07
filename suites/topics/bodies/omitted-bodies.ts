import { type ToolName, tools, toolsWithoutBody } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { sameRequest } from '../../expectations/promises.ts';
import type { Rule } from '../../expectations/rule.ts';
import { isSuccess } from '../../history/exchange.ts';
import { success } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { isToolRequest } from '../../situations/scope.ts';
import { story } from '../story.ts';

/** A tool without required arguments accepts an omitted body. */
const omitted = (tool: ToolName): Rule =>
  row(`bodies.omitted-${tools[tool].slug}`, {
    must: `The server MUST accept \`${tool}\` without a body.`,
    source: 'What the service does, rule 1',
    applies: (exchange) => exchange.request.tool === tool && isToolRequest(exchange) && exchange.request.body === null,
    // The twin sends `{}`, because the key may not resolve to a workspace.
    twin: (exchange, seen) => sameRequest(exchange, seen, { args: {} }),
    answers: [success],
    hint: 'Treat an omitted body as no arguments, like {}.',
  });

/** Roles whose keys resolve to a workspace without the argument; `primary` may do so. */
const resolving: readonly Role[] = ['defaulted', 'pinned', 'sole', 'primary'];

export const omittedBodies = story('omitted bodies', {
  needs: { roles: [] },
  steps: async (t) => {
    let resolved = 0;
    for (const as of t.present(resolving)) {
      const tools = resolved === 0 ? toolsWithoutBody : (['schedule.read'] as const);
      const sent = await Promise.all(tools.map((tool) => t.sendOnce('send no arguments', { tool, args: {}, as })));
      const accepted = sent.filter(isSuccess).map(({ request }) => request.tool);
      if (accepted.includes('schedule.read')) resolved += 1;
      for (const tool of tools.filter((each) => accepted.includes(each))) await t.send('send no body', { tool, as });
    }
    if (resolved === 0)
      t.cannot('no key that resolves to a workspace without the argument', { kind: 'role', role: 'sole' });
  },
  requirements: toolsWithoutBody.map(omitted),
});
