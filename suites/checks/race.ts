import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, isRefusal } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import { confirm, controlConfirmed, dispatchedImages, isDispatch, propose, spends } from '../scenes/images.ts';

const tool = 'images.generate';
const runners = 8;
const mostTries = 3;

/** The answers to simultaneous confirmations of one fresh id; those that met the cap are made up for afterwards. */
function theRace(t: Context): Promise<readonly Answered[]> {
  return t.once('race', async () => {
    for (let tries = 1; ; tries += 1) {
      const answers = await oneRace(t);
      const allInvalid = answers.every((answer) => isRefusal(answer, 'confirmation_invalid'));
      // Somebody else may have moved the clock beyond the id's life in between.
      if (!allInvalid || t.target.clock === undefined || tries === mostTries) return answers;
    }
  });
}

async function oneRace(t: Context): Promise<Answered[]> {
  const { args, id } = await propose(t, 'raced');
  const { budget } = t.session;
  // By the document one image runs, however many ask.
  await budget.reserveImages(1);
  let answers: Answered[] | undefined;
  try {
    answers = await t.callAtOnce(tool, { ...args, confirmation_id: id }, runners);
  } finally {
    budget.settleImages(1, answers === undefined ? 1 : answers.reduce((sum, each) => sum + dispatchedImages(each), 0));
  }
  const late: Answered[] = [];
  for (const each of answers) if (each.answer.status === 429) late.push(await confirm(t, args, id));
  return [...answers.filter(({ answer }) => answer.status !== 429), ...late];
}

export const race = [
  check({
    requirement: 'race.one-dispatches',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const dispatched = (await theRace(t)).filter(isDispatch);
      if (dispatched.length === 1) return;
      t.expect({
        expected: `1 of ${runners} simultaneous confirmations to dispatch`,
        actual: `${dispatched.length} dispatched`,
        hint: 'find and consume the id in one atomic step: a look-up followed by an update lets several through',
        exchanges: dispatched.length > 0 ? dispatched : (await theRace(t)).slice(0, 2),
      });
    },
  }),
  check({
    requirement: 'race.others-invalid',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      for (const answer of (await theRace(t)).filter((each) => !isDispatch(each))) {
        t.expect(refuses(answer, 'confirmation_invalid', 'who comes second finds the id used, as after any other use'));
      }
    },
  }),
];
