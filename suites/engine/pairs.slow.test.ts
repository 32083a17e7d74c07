import { expect, test } from 'vitest';
import { isToolName } from '../../fixtures/contract/tools.ts';
import { historyOf } from '../../test/run-history.ts';
import { body, type Exchange, isCompleted } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';

/** Names the outcome of a request, which may affect the next one. */
function outcomeOf(exchange: Exchange): string {
  if (!isCompleted(exchange) || exchange.response.status !== 200) return String(exchange.response?.status);
  const { ok, status } = body(exchange);
  if (ok !== true) return 'refusal';
  return exchange.request.tool === 'images.generate' ? String(status) : String(exchange.request.tool);
}

/** Returns the pairs of situations of all requests with a key: role, tool, place, and the outcome before. */
function pairsIn({ exchanges, knowledge }: History): Set<string> {
  const before = new Map<string | null, string>();
  const pairs = exchanges.flatMap((exchange) => {
    const { sender, request } = exchange;
    if (sender.kind !== 'key') return [];
    const { workspace } = request.args ?? {};
    const known = knowledge.workspaces.findIndex((each) => each.workspace === workspace);
    const place = workspace === undefined ? 'without workspace' : known < 0 ? 'unknown workspace' : `place ${known}`;
    const tool = isToolName(request.tool ?? '') ? request.tool : 'another tool';
    const after = `after ${before.get(sender.role) ?? 'nothing'}`;
    before.set(sender.role, outcomeOf(exchange));
    const { role } = sender;
    return [
      [role, tool],
      [role, place],
      [tool, place],
      [after, role],
      [after, tool],
      [after, place],
    ];
  });
  return new Set(pairs.map((pair) => pair.join(' × ')));
}

test('a default run covers most pairs of situations that are possible on the stub', { timeout: 300_000 }, async () => {
  const covered = pairsIn(await historyOf());
  const possible = new Set([...covered, ...pairsIn(await historyOf(undefined, 1, 1000))]);
  const missed = [...possible].filter((pair) => !covered.has(pair));
  console.info(`pairs of situations: ${covered.size} of ${possible.size}\n${missed.sort().join('\n')}`);
  expect(covered.size / possible.size).toBeGreaterThan(0.9);
});
