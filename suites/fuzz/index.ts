import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Check, check, type Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { isRefusal } from '../exchange.ts';
import { describeAnswer, outcomeOrMalformed } from '../expect/answers.ts';
import { invalidField } from '../expect/issues.ts';
import { writes } from '../scenes/content.ts';
import { proposes } from '../scenes/images.ts';
import { defaultFuzzCalls } from './bounds.ts';
import type { Judge } from './smallest.ts';

type Way = 'valid' | 'broken' | 'anything';
type Subjects = 'reading' | 'creating' | 'proposing';

/** How the calls of a run are shared out, in hundredths, and the most that each kind of call may cost. */
const shares: Readonly<Record<`${Way} ${Subjects}`, { hundredths: number; most: number }>> = {
  'valid reading': { hundredths: 20, most: Number.POSITIVE_INFINITY },
  'broken reading': { hundredths: 25, most: Number.POSITIVE_INFINITY },
  'anything reading': { hundredths: 20, most: Number.POSITIVE_INFINITY },
  // What is good creates something: a run leaves no more than this behind for the sake of chance.
  'valid creating': { hundredths: 5, most: 4 },
  'broken creating': { hundredths: 15, most: Number.POSITIVE_INFINITY },
  'valid proposing': { hundredths: 5, most: 20 },
  'broken proposing': { hundredths: 10, most: Number.POSITIVE_INFINITY },
  'anything creating': { hundredths: 0, most: 0 },
  'anything proposing': { hundredths: 0, most: 0 },
};

/** For whoever has to mend a call that met a value it was not prepared for. */
export const anythingHint =
  'whatever stands in the arguments, look at its type before it is used, and let nothing through unhandled';

const judges: Readonly<Record<Way, Judge>> = {
  valid: (_, answer) => {
    if (answer.answer.status !== 400 && !isRefusal(answer, 'invalid_arguments')) return undefined;
    return {
      expected: 'anything but invalid_arguments or a malformed body',
      actual: describeAnswer(answer),
      hint: 'these arguments fit the published schema: look for a rule that is narrower than it',
      exchanges: [answer],
    };
  },
  broken: ({ broken }, answer) =>
    broken &&
    invalidField(
      answer,
      broken.field,
      broken.by,
      `${broken.field} alone breaks the published schema: refuse it and name it`,
    ),
  anything: (_, answer) => outcomeOrMalformed(answer, anythingHint),
};

const who: Readonly<Record<Subjects, { title: string; needs: Needs }>> = {
  reading: { title: 'tools that read', needs: {} },
  creating: { title: 'content.create_request', needs: writes },
  proposing: { title: 'images.generate', needs: proposes },
};

function fuzz(requirement: RequirementId, way: Way, subjects: Subjects): Check {
  const title = `drawn by chance: ${who[subjects].title}`;
  return check({
    requirement,
    title,
    needs: who[subjects].needs,
    async run(t) {
      const share = shares[`${way} ${subjects}`];
      const calls = Math.min(share.most, Math.round((t.fuzz.calls * share.hundredths) / 100));
      if (calls < 1) t.cannot('nothing is drawn by chance', { kind: 'option', option: `--fuzz ${defaultFuzzCalls}` });
      const name = `${requirement} ${subjects}`;
      // Asking the same again would tell nothing, and go beyond what was allowed.
      if (t.fuzz.drawn.has(name)) t.cannot('what chance draws is drawn once in a run');
      t.fuzz.drawn.add(name);
      t.expect(await drawn(t, way, subjects, calls));
    },
  });
}

/** Loaded when something is drawn: most commands never do. */
async function drawn(t: Context, way: Way, subjects: Subjects, calls: number) {
  const [{ calls: arbitraryCalls }, { draw }] = await Promise.all([import('./calls.ts'), import('./smallest.ts')]);
  const from = await arbitraryCalls(t, way, subjects);
  if (from === undefined) return t.cannot('there is no rule to break');
  return draw(t, from, { calls, seed: seedOf(t, `${way} ${subjects}`), judge: judges[way] });
}

/** A seed of 31 bits for one purpose, from the run's. */
function seedOf(t: Context, purpose: string): number {
  return Number.parseInt(t.text(`fuzz ${purpose}`, 12), 36) % 2 ** 31;
}

export const fuzzing: readonly Check[] = [
  fuzz('arguments.valid-never-refused', 'valid', 'reading'),
  fuzz('arguments.valid-never-refused', 'valid', 'creating'),
  fuzz('arguments.valid-never-refused', 'valid', 'proposing'),
  fuzz('arguments.violation-always-named', 'broken', 'reading'),
  fuzz('arguments.violation-always-named', 'broken', 'creating'),
  fuzz('arguments.violation-always-named', 'broken', 'proposing'),
  fuzz('arguments.anything-answered', 'anything', 'reading'),
];
