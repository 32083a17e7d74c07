import { isRole } from '../../../fixtures/roles.ts';
import { promisedBy } from '../../expectations/promises.ts';
import { isSuccess } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import type { Judging } from '../../model/row.ts';
import type { Listing } from '../../situations/choices.ts';
import { isPlain } from '../../situations/plain.ts';

/** A key can name the workspaces that a refusal of this kind listed to it. */
export function choicesWork(listing: Listing): Judging {
  return {
    applies: (exchange, seen) => {
      const { sender, request } = exchange;
      const isRead = request.tool === 'schedule.read' || request.tool === 'connections.status';
      // The specification does not define the `workspace` argument for pinned keys.
      const isPinned = isRole(String(sender.role)) ? sender.role === 'pinned' : seen.places.mayBePinned(sender.role);
      const mayName = sender.kind === 'key' && !isPinned && isPlain(exchange);
      return isRead && mayName && seen.choices.listedBefore(exchange, listing) !== undefined;
    },
    twin: (exchange, seen) => {
      const { tool } = exchange.request;
      return { succeeded: isSuccess(exchange) || seen.places.worksNamed(tool), promisedBy: promisedBy(tool) };
    },
    expect: (exchange, seen) => {
      const refusal = seen.choices.listedBefore(exchange, listing);
      if (refusal === undefined || isSuccess(exchange)) return undefined;
      const slug = brief(exchange.request.args?.workspace);
      return {
        expected: `${slug}, which ${refusal.request.tool} lists, to work when the same key names it`,
        hint: 'List only the slugs of workspaces that this key reaches.',
        exchanges: [refusal, exchange],
      };
    },
  };
}
