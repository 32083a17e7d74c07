import { html } from 'hono/html';
import { type Status, statuses } from '../../suites/result.ts';
import type { Html } from './text.ts';

/** Place in the bar: the worst first, what was not tested last. */
const order: readonly Status[] = [...statuses.filter((status) => status !== 'not-tested'), 'not-tested'];

/** Requirements by status, as a bar of 100 by `height`. `label` says the same in words. */
export function shareBar(counts: Readonly<Record<Status, number>>, label: string, height: number): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let from = 0;
  // A drawing of svg needs no style of its own for its widths, which the policy of the page would not allow.
  const parts = order.map((status) => {
    const share = (100 * counts[status]) / Math.max(1, all);
    from += share;
    return (
      share > 0 && html`<rect class="${status}" x="${from - share}" y="0" width="${share}" height="${height}"></rect>`
    );
  });
  return html`<svg class="share" viewBox="0 0 100 ${height}" preserveAspectRatio="none" role="img"
aria-label="${label}">${parts}</svg>`;
}
