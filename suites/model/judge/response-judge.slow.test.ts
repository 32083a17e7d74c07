import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangesOf, knowledge } from '../../../test/history.ts';
import type { DefectId } from '../../../test/mutations/defects/index.ts';
import { historyOf } from '../../../test/run-history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { rules } from '../../topics/index.ts';
import { row } from '../rule.ts';
import { Judge } from './judge.ts';

const declined = { ok: false, code: 'quiet_hours', message: 'Not now.' };

/** A rule that expects success, unless the service declines by the same rule what it accepts at another time. */
const works = row('content-requests.created', {
  must: 'It works.',
  source: 'a test',
  applies: ({ request }) => request.args?.title === 'judged',
  expect: () => ({ expected: 'created', actual: 'declined' }),
  hint: '',
});

/**
 * The title `judged` comes with a malformed day: a request that violates the schema proves nothing about house rules.
 */
const creation = (title: string, body: object = declined) => ({
  tool: 'content.create_request',
  args: { workspace: 'north', format: 'posts', day: title === 'judged' ? 'soon' : '2027-02-01', title },
  body,
});

const sometimes = [creation('another'), creation('a third', { ok: true, piece_id: 'p1' })];

function judged(exchanges: readonly Exchange[], isAsked: (index: number) => boolean) {
  const judge = new Judge([works], knowledge);
  for (const [index, exchange] of exchanges.entries()) {
    judge.begin(exchange);
    judge.see(exchange);
    if (isAsked(index)) judge.judgements();
  }
  return judge.judgements();
}

test('asking before other requests are declined alike does not settle a finding', () => {
  const exchanges = exchangesOf([creation('judged'), ...sometimes]);
  const [judgement] = judged(exchanges, () => true);
  expect(judgement).toMatchObject({ tested: 0, findings: [], declined: expect.stringContaining('quiet_hours') });
});

test('nor does a full list of waiting applications', () => {
  const many = Array.from({ length: 210 }, (_, index) => ({ ...creation('judged'), at: index }));
  const [judgement] = judged(exchangesOf([...many, ...sometimes.map((said) => ({ ...said, at: 300 }))]), () => false);
  expect(judgement).toMatchObject({ tested: 0, findings: [] });
});

test('asking twice gets the same judgement', () => {
  const exchanges = exchangesOf([creation('judged')]);
  const judge = new Judge([works], { ...knowledge, boards: [] });
  for (const exchange of exchanges) judge.see(exchange);
  expect(judge.judgements()).toEqual(judge.judgements());
});

const defects: readonly (DefectId | undefined)[] = [undefined, 'dispatch-cancels-the-others', 'expired-id-is-told'];

test.each(defects)('asking at any time changes no judgement of a run (%s)', async (defect) => {
  const history = await historyOf(defect, 1, 100);
  const moments = history.exchanges.toSorted((a, b) => a.receivedAt - b.receivedAt);
  const verdicts = (isAsked: (index: number) => boolean) => {
    const judge = new Judge(rules, history.knowledge);
    for (const [index, exchange] of moments.entries()) {
      judge.begin(exchange);
      judge.see(exchange);
      if (isAsked(index)) judge.judgements();
    }
    return judge.judgements().map(({ id, tested, findings, deniedBy }) => ({ id, tested, findings, deniedBy }));
  };
  const quiet = verdicts(() => false);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(moments.length), { maxLength: 12 }), (asked) => {
      expect(verdicts((index) => asked.includes(index))).toEqual(quiet);
    }),
    { numRuns: 4, seed: 22 },
  );
});
