import { counter, type Deviation } from '../deviation.ts';
import type { Call, Fields, Json } from '../model.ts';
import { around, type Steps } from '../steps.ts';

/** Proposes and confirms a request without an ID at once, if `trigger` applies. */
function atOnce(trigger: (call: Call) => boolean): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'propose', (next) => async (c) => {
      const answer = await next(c);
      const made = c.world.proposals.get(String((answer.body as Fields).confirmation_id));
      return made !== undefined && trigger(c) ? steps.dispatch(c, made) : answer;
    });
}

/** Takes the ID from another place if the request has none. */
function idFrom(place: (call: Call) => Json | undefined): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'run', (next) => async (c) => {
      const id = c.tool === 'images.generate' && c.args.confirmation_id === undefined ? place(c) : undefined;
      return next(typeof id === 'string' ? { ...c, args: { ...c.args, confirmation_id: id } } : c);
    });
}

/** Accepts IDs that are written differently. */
function readsId(read: (id: Json) => Json | undefined): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'check', (next) => (c) => {
      const id = c.args.confirmation_id;
      if (c.tool === 'images.generate' && id !== undefined) c.args.confirmation_id = read(id) ?? id;
      return next(c);
    });
}

const header = ['image-proposals.no-header-confirms'] as const;
const query = ['image-proposals.no-query-parameter-confirms'] as const;
const argument = ['image-proposals.no-argument-confirms'] as const;
const near = ['image-proposals.near-miss-id-never-confirms'] as const;

const runs =
  (more: Fields, extra: { headers?: Record<string, string>; query?: string } = {}): Deviation['probe'] =>
  async (p) =>
    (await p.propose('primary', more, extra)).body.status === 'dispatched';

const runsWithId =
  (write: (id: string) => { more?: Fields; headers?: Record<string, string>; query?: string }): Deviation['probe'] =>
  async (p) => {
    const { more = {}, ...extra } = write(await p.proposed('primary'));
    return (await p.propose('primary', more, extra)).body.status === 'dispatched';
  };

/** Deviations with headers and arguments that execute proposals, and with IDs that resemble an issued one. */
export const byExecution: Deviation[] = [
  {
    id: 'header-auto-approve',
    sentence: 'The header `x-auto-approve` runs a proposal at once.',
    breaks: header,
    steps: atOnce(({ headers }) => /^(1|true|yes)$/.test(headers['x-auto-approve'] ?? '')),
    probe: runs({}, { headers: { 'x-auto-approve': 'true' } }),
  },
  {
    id: 'header-not-dry',
    sentence: 'The header `x-dry-run: false` runs a proposal at once.',
    breaks: header,
    steps: atOnce(({ headers }) => /^(0|false|no)$/.test(headers['x-dry-run'] ?? '')),
    probe: runs({}, { headers: { 'x-dry-run': 'false' } }),
  },
  {
    id: 'header-repeated-idempotency-key',
    sentence: 'A proposal that repeats an `Idempotency-Key` is taken for the second call.',
    breaks: header,
    steps: (s) => {
      const count = counter();
      atOnce(({ headers }) => headers['idempotency-key'] !== undefined && count(headers['idempotency-key']) > 1)(s);
    },
    probe: async (p) => {
      const extra = { headers: { 'idempotency-key': 'a1' } };
      await p.propose('primary', {}, extra);
      return (await p.propose('primary', {}, extra)).body.status === 'dispatched';
    },
  },
  {
    id: 'header-prefer-handling',
    sentence: 'The header `Prefer: respond-async` runs a proposal in the background.',
    breaks: header,
    steps: atOnce(({ headers }) => (headers.prefer ?? '').includes('respond-async')),
    probe: runs({}, { headers: { prefer: 'respond-async' } }),
  },
  {
    id: 'query-force',
    sentence: 'The query parameter `force` or `confirm` runs a proposal at once.',
    breaks: query,
    steps: atOnce((c) => c.query.has('force') || c.query.get('confirm') === 'true'),
    probe: runs({}, { query: '?force=1' }),
  },
  {
    id: 'query-with-live-id',
    sentence: 'A live id in the query parameter `confirmation_id` confirms.',
    breaks: query,
    steps: idFrom((c) => c.query.get('confirmation_id') ?? undefined),
    probe: runsWithId((id) => ({ query: `?confirmation_id=${id}` })),
  },
  {
    id: 'argument-approved-by',
    sentence: 'The argument `approved_by` runs a proposal at once.',
    breaks: argument,
    steps: atOnce(({ args }) => typeof args.approved_by === 'string'),
    probe: runs({ approved_by: 'kit' }),
  },
  {
    id: 'argument-status-dispatched',
    sentence: 'The argument `status: "dispatched"` runs a proposal at once.',
    breaks: argument,
    steps: atOnce(({ args }) => args.status === 'dispatched' || args.status === 'confirmed'),
    probe: runs({ status: 'dispatched' }),
  },
  {
    id: 'argument-dry-run-false',
    sentence: 'The argument `dry_run: false` runs a proposal at once.',
    breaks: argument,
    steps: atOnce(({ args }) => args.dry_run === false || args.preview === false),
    probe: runs({ dry_run: false }),
  },
  {
    id: 'argument-camel-case-id',
    sentence: 'A live id in `confirmationId` confirms.',
    breaks: argument,
    steps: idFrom(({ args }) => args.confirmationId),
    probe: runsWithId((id) => ({ more: { confirmationId: id } })),
  },
  {
    id: 'id-trimmed',
    sentence: 'White space around an id is dropped.',
    breaks: near,
    steps: readsId((id) => (typeof id === 'string' ? id.trim() : undefined)),
    probe: runsWithId((id) => ({ more: { confirmation_id: ` ${id}` } })),
  },
  {
    id: 'id-in-capitals',
    sentence: 'Ids are compared in any case.',
    breaks: near,
    steps: readsId((id) => (typeof id === 'string' ? id.toLowerCase() : undefined)),
    probe: runsWithId((id) => ({ more: { confirmation_id: id.toUpperCase() } })),
  },
  {
    id: 'id-without-prefix',
    sentence: 'The prefix of an id may be left out.',
    breaks: near,
    steps: readsId((id) => (typeof id === 'string' && /^[0-9a-f]{24}$/.test(id) ? `conf_${id}` : undefined)),
    probe: runsWithId((id) => ({ more: { confirmation_id: id.slice(5) } })),
  },
  {
    id: 'id-compared-by-head',
    sentence: 'Of an id only the first 20 characters are compared.',
    breaks: [...near, 'confirmations.never-issued-invalid'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const alike = [...c.world.proposals.keys()].find((one) => one.slice(0, 20) === id.slice(0, 20));
        return next(c, alike ?? id);
      }),
    probe: runsWithId((id) => ({ more: { confirmation_id: `${id.slice(0, -2)}zz` } })),
  },
];
