import { check, type Needs } from '../check.ts';
import { isRefusal } from '../exchange.ts';
import { describeAnswer } from '../expect/answers.ts';
import { controlConfirmed } from '../scenes/confirming.ts';
import { confirm, controlProposed, dispatches, isDispatch, spends } from '../scenes/images.ts';
import { aged, certainlyAliveMinutes, certainlyDeadMinutes } from '../scenes/passing-time.ts';

const needs: Needs = { ...spends, time: true, alone: 'clock' };

export const expiry = [
  check({
    requirement: 'expiry.alive-at-20-minutes',
    needs,
    async run(t) {
      const { young, reply } = await aged(t);
      const failed = dispatches(reply);
      if (failed === undefined) return;
      t.expect({
        ...failed,
        expected: `${failed.expected}, ${certainlyAliveMinutes} minutes after the proposal`,
        hint: 'a confirmation lives about 30 minutes: confirmed at once it runs, so look at its lifetime, and at the unit it is stored in',
        exchanges: [reply, young.answer],
      });
    },
  }),
  check({
    requirement: 'expiry.dead-at-45-minutes',
    needs,
    async run(t) {
      await controlConfirmed(t);
      const { old } = await aged(t);
      const { args } = await controlProposed(t);
      const answer = await t.once('expired', () => confirm(t, args, old.id));
      // How it is refused is told by the requirements on expired ids.
      if (isRefusal(answer) || !isDispatch(answer)) return;
      t.expect({
        expected: `no dispatch ${certainlyDeadMinutes} minutes after the proposal`,
        actual: describeAnswer(answer),
        hint: 'a confirmation lives about 30 minutes: look at its lifetime, and at the moment it is compared with',
        exchanges: [old.answer, answer],
      });
    },
  }),
];
