import { readingTools, tools } from '../../../fixtures/contract/tools.ts';
import { body, isSuccess } from '../../history/exchange.ts';
import { isRecord } from '../../json.ts';
import { observing } from '../story.ts';
import { roleThatResolves } from './boundary.ts';

/** Observes arguments of reading tools that the specification leaves open. */
export const reading = observing('observing reading tools', {
  observes: [
    'workspaces.null-argument',
    'workspaces.pinned-with-argument',
    'workspaces.unknown-properties',
    'order.arguments-or-workspace',
    'library.absent-query',
    'knowledge.absent-query',
    'knowledge.order',
    'credits.unknown-properties',
    'credits.workspace-argument',
  ],
  steps: async (t) => {
    const as = roleThatResolves(t);
    await t.observe('workspaces.null-argument', '', { tool: 'schedule.read', args: { workspace: null }, as });
    if (t.has('pinned')) {
      const own = await t.send('read as pinned', { tool: 'schedule.read', args: {}, as: 'pinned' });
      const others = [t.deployment.workspace, t.deployment.otherWorkspace].filter(
        (slug) => slug !== undefined && slug !== body(own).workspace,
      );
      for (const workspace of others) {
        const asked = { tool: 'schedule.read', args: { workspace }, as: 'pinned' as const };
        await t.observe('workspaces.pinned-with-argument', '', asked);
      }
    }
    const search = await t.send('search the library', { tool: 'library.search', args: t.here({ query: '' }) });
    const { items } = body(search);
    const [item] = isSuccess(search) && Array.isArray(items) ? items.filter(isRecord) : [];
    const usual = readingTools.map((tool) => [tool, tools[tool].usual] as const);
    const got = ['library.get', item && { kind: item.kind, id: item.id }] as const;
    for (const [tool, args] of [...usual, got]) {
      if (args === undefined) continue;
      const asked = { tool, args: t.here({ ...args, tck_unknown: true }) };
      await t.observe('workspaces.unknown-properties', tool, asked);
    }
    const bad = { kind: 5, id: false };
    const unplaced = t.has('ambiguous')
      ? { tool: 'library.get', args: bad, as: 'ambiguous' as const }
      : { tool: 'library.get', args: { ...bad, workspace: `tck-${t.text('unknown workspace')}` } };
    await t.observe('order.arguments-or-workspace', '', unplaced);
    await t.observe('library.absent-query', '', { tool: 'library.search', args: t.here() });
    await t.observe('knowledge.absent-query', '', { tool: 'knowledge.search', args: t.here() });
    const balance = 'credits.balance';
    await t.observe('credits.unknown-properties', '', { tool: balance, args: { tck_unknown: true } });
    const workspace = t.deployment.workspace ?? body(search).workspace;
    if (typeof workspace === 'string') {
      await t.observe('credits.workspace-argument', '', { tool: balance, args: { workspace } });
    }
  },
});
