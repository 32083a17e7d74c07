import { boundary } from '../answers.ts';
import { counter, onSuccess } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Answer, Call, Fields } from '../model.ts';
import { around, type Steps, step, unauthorizedCode } from '../steps.ts';

/** Replaces one of every `times` responses that `counts` selects. */
function every(times: number, counts: (c: Call, answer: Answer) => boolean, other: (answer: Answer) => Answer) {
  return (steps: Steps): void => {
    let count = 0;
    around(steps, 'finish', (next) => async (c, answer) => {
      if (!counts(c, answer)) return next(c, answer);
      count += 1;
      return next(c, count % times === 0 ? other(answer) : answer);
    });
  };
}

const isError = (status: number) => (_: Call, answer: Answer) => answer.status === status;
const withMember =
  (more: Fields) =>
  (answer: Answer): Answer => ({ ...answer, body: { ...(answer.body as Fields), ...more } });
const successOf = (tool: string) => (c: Call, answer: Answer) => c.tool === tool && (answer.body as Fields).ok === true;

/** Deviations of the second, tenth or thirtieth request. */
export const repetition = {
  'Every fifth 404 of a server carries a hint beside error': {
    breaks: ['envelopes.boundary-no-other-keys', 'unknown-tools.uniform-body'],
    steps: every(5, isError(404), withMember({ hint: 'See the description.' })),
  },
  'Every twelfth schedule tells its days backwards': {
    breaks: ['schedule.days-consecutive', 'schedule.days-from-week-start'],
    steps: every(12, successOf('schedule.read'), (answer) => {
      const body = answer.body as Fields;
      return { ...answer, body: { ...body, days: (body.days as string[]).toReversed() } };
    }),
  },
  'Every third dispatch repeats its id': {
    breaks: ['confirmations.confirmation-id-null'],
    steps: (s) => {
      let count = 0;
      around(s, 'dispatch', (next) => async (c, proposal) => {
        const answer = await next(c, proposal);
        count += 1;
        return count % 3 === 0 ? withMember({ confirmation_id: proposal.id })(answer) : answer;
      });
    },
  },
  'From the tenth reading on the schedule comes from a cache that lacks working_in': {
    breaks: ['workspaces.working-in-present'],
    steps: (s) => {
      const count = counter();
      onSuccess('schedule.read', (body, { key }) => {
        if (count(key.role) >= 10) delete body.working_in;
      })(s);
    },
  },
  'After six pieces of one format the ids of pieces begin again': {
    breaks: ['content-requests.piece-id-new'],
    steps: (s) => {
      const count = counter();
      onSuccess('content.create_request', (body) => {
        body.piece_id = `pc-${body.format}-${count(String(body.format)) % 6}`;
      })(s);
    },
  },
  'From the sixth request without a credential on, the 401 says that there were too many': {
    breaks: ['authentication.uniform-across-tools', 'authentication.unknown-like-absent'],
    steps: (s) => {
      const count = counter();
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const often = answer.status === 401 && c.headers.authorization === undefined && count('absent') >= 6;
        return often ? boundary(401, unauthorizedCode, 'Too many attempts without a key.') : answer;
      });
    },
  },
  'The same proposal gets the same id for ten minutes, also after the id was used': {
    breaks: ['image-proposals.confirmation-id-new', 'confirmations.recovery', 'confirmations.dispatched'],
    steps: step('propose', (next) => {
      const given = new Map<string, { time: number; body: Fields }>();
      return async (c) => {
        const name = JSON.stringify([c.key.role, c.args]);
        const earlier = given.get(name);
        const answer = await next(c);
        if (earlier !== undefined && c.now - earlier.time < 600_000) return { ...answer, body: earlier.body };
        given.set(name, { time: c.now, body: answer.body as Fields });
        return answer;
      };
    }),
  },
  'From the third proposal with the same brief on, the summary is empty': {
    breaks: ['image-proposals.request-summary'],
    steps: (s) => {
      const count = counter();
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        const often = count(String(c.args.brief)) >= 3;
        return often ? { ...answer, body: { ...(answer.body as Fields), request_summary: '' } } : answer;
      });
    },
  },
  'One in twelve successful answers lacks the header of the API': {
    breaks: ['headers.beta-on-200'],
    steps: (s) => {
      const count = counter();
      around(s, 'finish', (next) => async (c, answer) => {
        const { headers, ...rest } = await next(c, answer);
        const lacks = answer.status === 200 && count('200') % 12 === 0;
        return { ...rest, headers: lacks ? {} : headers };
      });
    },
  },
  'From the third text in a row that is not JSON on, a key is served as if it had sent no body': {
    breaks: ['bodies.not-json', 'bodies.every-reading-tool'],
    steps: (s) => {
      const count = counter();
      around(s, 'parse', (next) => (c) => {
        const text = /^[^{["\d]/.test(`${c.raw}`) && !/^(true|false|null)$/.test(`${c.raw}`);
        return text && count(c.key.role) >= 3 ? {} : next(c);
      });
    },
  },
} satisfies Deviations;
