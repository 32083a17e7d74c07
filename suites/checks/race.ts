import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, isRefusal } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import { controlConfirmed } from '../scenes/confirming.ts';
import {
  confirm,
  creditsSuffice,
  declinedForCredits,
  dispatchedImages,
  isDispatch,
  propose,
  spends,
} from '../scenes/images.ts';
import { givenTwice } from '../scenes/issued-ids.ts';

const tool = 'images.generate';
const mostRunners = 8;
const mostTries = 3;

interface Race {
  answers: readonly Answered[];
  /** How many of the simultaneous calls were not held up by the cap. */
  ran: number;
}

/** The answers to simultaneous confirmations of one fresh id; those that met the cap are made up for afterwards. */
function theRace(t: Context): Promise<Race> {
  return t.once('race', async () => {
    for (let tries = 1; ; tries += 1) {
      const race = await oneRace(t);
      const allInvalid = race.answers.every((answer) => isRefusal(answer, 'confirmation_invalid'));
      // Somebody else may have moved the clock beyond the id's life in between, or the cap let too few through.
      const again = race.ran < 2 || (allInvalid && t.target.clock !== undefined);
      if (!again || tries === mostTries) return race;
    }
  });
}

async function oneRace(t: Context): Promise<Race> {
  const { args, id } = await propose(t, 'raced');
  const { budget } = t.session;
  // By the document one image runs, however many ask; a broken deployment may run as many as ask.
  const runners = await budget.reserveSeveral(mostRunners);
  let answers: Answered[] | undefined;
  try {
    answers = await t.callAtOnce(tool, { ...args, confirmation_id: id }, runners);
  } finally {
    const dispatched = answers?.reduce((sum, each) => sum + dispatchedImages(each), 0);
    budget.settleImages(runners, dispatched ?? runners);
  }
  t.control('image-proposals.confirmation-id-new', givenTwice(t, id));
  const late: Answered[] = [];
  for (const each of answers) if (each.answer.status === 429) late.push(await confirm(t, args, id));
  const inTime = answers.filter(({ answer }) => answer.status !== 429);
  return { answers: [...inTime, ...late], ran: inTime.length };
}

/** The race, where there was one. */
async function aRace(t: Context): Promise<readonly Answered[]> {
  await controlConfirmed(t);
  const { answers, ran } = await theRace(t);
  if (!answers.some(isDispatch)) for (const answer of answers) creditsSuffice(t, answer);
  return ran < 2 ? t.cannot('the cap let fewer than two calls through at once') : answers;
}

export const race = [
  check({
    requirement: 'race.one-dispatches',
    needs: spends,
    async run(t) {
      const answers = await aRace(t);
      const dispatched = answers.filter(isDispatch);
      t.leaveToOthers(answers.filter((each) => !isDispatch(each)));
      if (dispatched.length === 1) return;
      t.expect({
        expected: `1 of ${answers.length} simultaneous confirmations to dispatch`,
        actual: `${dispatched.length} dispatched`,
        hint: 'find and consume the id in one atomic step: a look-up followed by an update lets several through',
        exchanges: dispatched.length > 0 ? dispatched : answers.slice(0, 2),
      });
    },
  }),
  check({
    requirement: 'race.others-invalid',
    needs: spends,
    async run(t) {
      const others = (await aRace(t)).filter((each) => !isDispatch(each) && declinedForCredits(each) === undefined);
      if (others.length === 0) t.cannot('all of them dispatched, or could not be paid');
      for (const answer of others) {
        t.expect(refuses(answer, 'confirmation_invalid', 'who comes second finds the id used, as after any other use'));
      }
    },
  }),
];
