import { limits } from '../../../fixtures/contract/limits.ts';
import { boundary } from '../answers.ts';
import { alsoRefuses, type Change, onAnswer, onSuccess } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Fields } from '../model.ts';
import { step } from '../steps.ts';

/** Changes arguments before they are checked. */
function mends(change: (args: Fields, tool: string) => void): Change {
  return step('check', (next) => (c) => {
    change(c.args, c.tool);
    return next(c);
  });
}

const { most } = limits.title;

/** Deviations of values in the allowed range and just outside it, and of two errors in one request. */
export const argumentDeviations = {
  'A count that is nearly whole is rounded': {
    breaks: ['image-proposals.count-fraction-refused'],
    steps: mends((args) => {
      const count = args.count;
      if (typeof count === 'number' && Math.abs(count - Math.round(count)) < 0.01) args.count = Math.round(count);
    }),
  },
  'A list with one board is taken for the board': {
    breaks: ['image-proposals.board-wrong-type-refused'],
    steps: mends((args) => {
      const [only] = Array.isArray(args.board) ? args.board : [];
      if (only !== undefined) args.board = only;
    }),
  },
  'Where two fields are bad, issues is empty': {
    breaks: ['arguments.issues-listed'],
    steps: onAnswer('handle', ({ body }) => {
      if (Array.isArray(body.issues) && body.issues.length >= 2) body.issues = [];
    }),
  },
  'library.get with an unknown kind and an unknown id is a 404': {
    breaks: ['library.unknown-id-200'],
    steps: step('run', (next) => async (c) => {
      const kinds = c.world.workspaces.get(c.at?.slug)?.items.map(({ kind }) => kind) ?? [];
      if (c.tool !== 'library.get' || kinds.includes(String(c.args.kind))) return next(c);
      return boundary(404, 'tenant_api.not_found', 'There is no such item.');
    }),
  },
  'Titles just below the longest length are refused': {
    breaks: ['content-requests.created', 'content-requests.title-longest', 'arguments.valid-never-refused'],
    steps: alsoRefuses('title', (title) => {
      const length = typeof title === 'string' ? title.length : 0;
      return length >= most - 8 && length < most;
    }),
  },
  'More than 60 days ahead scheduled_for is a date only': {
    breaks: ['content-requests.scheduled-for-utc'],
    steps: onSuccess('content.create_request', (body) => {
      const time = String(body.scheduled_for);
      if (Date.parse(time) - Date.now() > 60 * 86_400_000) body.scheduled_for = time.slice(0, 10);
    }),
  },
  'A property that the request does not have is accepted while its value is null': {
    breaks: ['content-requests.unknown-property-refused'],
    steps: mends((args, tool) => {
      if (tool !== 'content.create_request') return;
      for (const [name, value] of Object.entries(args))
        if (value === null && !['day', 'format'].includes(name)) delete args[name];
    }),
  },
} satisfies Deviations;
