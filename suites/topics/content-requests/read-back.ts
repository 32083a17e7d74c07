import { limits } from '../../../fixtures/contract/limits.ts';
import { isSuccess } from '../../history/exchange.ts';
import { creating, needs, titled } from '../requests/content.ts';
import { story } from '../story.ts';

/** Days at both ends of the calendar, which time zones move beyond it. */
const days = ['9999-12-31', '0001-01-01'];

/**
 * Creates content with values that the specification leaves open, and reads everything back. A server that accepts what
 * it cannot show stays broken, so the story runs at the end.
 */
export const readBack = story('content with unusual values, read back', {
  turn: 'end',
  needs,
  steps: async (t) => {
    const { otherWorkspace } = t.deployment;
    // The day may be beyond the calendar only with the time of day of another format or workspace.
    const places = [
      {},
      { format: 'articles' },
      ...(otherWorkspace === undefined ? [] : [{ workspace: otherWorkspace }]),
    ];
    const changes = [
      ...days.flatMap((day) => places.map((place) => ({ ...place, day, title: titled(t, day) }))),
      { title: titled(t, 'half a pair \udc00') },
      {
        title: titled(t, '')
          .padEnd(limits.title.most - 1, 'x')
          .concat('\ud83e'),
      },
    ];
    for (const change of changes) {
      const asked = creating(t, change, { odd: true });
      if (!isSuccess(await t.send('create with an unusual value', asked))) continue;
      const { args } = asked;
      const place = args?.workspace === undefined ? {} : { workspace: args.workspace };
      for (const tool of ['content.status', 'schedule.read']) await t.send('read back', { tool, args: place });
    }
  },
  alsoTests: ['envelopes.no-server-error', 'content-status.answers'],
});
