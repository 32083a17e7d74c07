import { type Status, statuses } from '../../suites/result.ts';
import { html } from '../../suites/usage/html.ts';
import type { Html } from './text.ts';

/** Order in the bar: the most severe first, untested last. */
const order: readonly Status[] = [...statuses.filter((status) => status !== 'not-tested'), 'not-tested'];

/** Bar of requirements by status, 100 units wide and `height` units high. `label` is the text alternative. */
export function shareBar(counts: Readonly<Record<Status, number>>, label: string, height: number): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let from = 0;
  // SVG attributes set the widths, because the content security policy forbids style attributes.
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
