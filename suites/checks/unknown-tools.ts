import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { boundaryError } from '../expect/answers.ts';
import { headerParts } from '../expect/same.ts';
import { brief, shorten } from '../json.ts';
import { firstToldApart, sameText } from '../scenes/apart.ts';
import { controlReadings } from '../scenes/reading.ts';
import { unknownToolName } from '../scenes/refusals.ts';

const nearMisses = [
  'schedule.reads',
  'schedule.rea',
  'Schedule.Read',
  'schedule_read',
  'schedule-read',
  'schedule.read.json',
  'schedule',
  'credits.balance.',
  'content.create-request',
  'images.generate_',
  // As it stands in an address: with %20 at its end.
  'credits.balance%20',
];
/** A name longer than any tool's, though not than a server has to bear. */
const longName = (t: Context) => unknownToolName(t).padEnd(128, '.long');

const prototypeNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const hint =
  'look tools up among the nine by their exact names, as own entries only, and answer every other name alike';

function ask(t: Context, name: string, fresh = false): Promise<Answered> {
  return t.call(name, {}, { fresh });
}

function is404(requirement: RequirementId, namesOf: (t: Context) => readonly string[]) {
  return check({
    requirement,
    async run(t) {
      await controlReadings(t);
      const answers = await Promise.all(namesOf(t).map((name) => ask(t, name)));
      for (const answer of answers) t.expect(boundaryError(answer, 404, undefined, hint));
    },
  });
}

/** The answers to every unrecognised name that are 404 as they ought to be. */
async function all404(t: Context): Promise<{ name: string; answer: Answered }[]> {
  const names = [unknownToolName(t), longName(t), ...nearMisses, ...prototypeNames];
  const answers = await Promise.all(names.map(async (name) => ({ name, answer: await ask(t, name) })));
  const good = answers.filter(({ answer }) => answer.answer.status === 404);
  t.leaveToOthers(answers.filter((each) => !good.includes(each)).map(({ answer }) => answer));
  return good.length > 1 ? good : t.cannot('fewer than two names were answered with 404');
}

export const unknownTools = [
  is404('unknown-tools.unknown-404', (t) => [unknownToolName(t), longName(t)]),
  is404('unknown-tools.near-misses-404', () => nearMisses),
  is404('unknown-tools.prototype-names-404', () => prototypeNames),
  check({
    requirement: 'unknown-tools.uniform-body',
    async run(t) {
      const [reference, ...others] = await all404(t);
      for (const other of others) {
        if (reference === undefined) continue;
        t.expect(
          sameText(reference, other, 'one constant body for every name: neither names nor suggestions belong in it'),
        );
      }
    },
  }),
  check({
    requirement: 'unknown-tools.name-not-in-body',
    async run(t) {
      const [name, answer] = [unknownToolName(t), await ask(t, unknownToolName(t))];
      if (answer.answer.status !== 404) t.cannot('the name was not answered with 404');
      if (!answer.answer.text.toLowerCase().includes(name)) return;
      t.expect({
        expected: 'a body without the name that was asked for',
        actual: shorten(answer.answer.text),
        hint: 'the 404 is opaque: it does not repeat what was asked',
        exchanges: [answer],
      });
    },
  }),
  check({
    requirement: 'unknown-tools.uniform-headers',
    async run(t) {
      const [reference, ...others] = await all404(t);
      if (reference === undefined) return;
      const cause = (name: string) => ({ name, ask: (fresh: boolean) => ask(t, name, fresh) });
      const hint = 'headers that depend on the name tell it apart as well as a body would';
      const pairs = others.map(({ name }) => [cause(reference.name), cause(name)] as const);
      t.expect(await firstToldApart(t, pairs, headerParts, hint));
    },
  }),
  check({
    requirement: 'unknown-tools.name-not-in-headers',
    async run(t) {
      const [name, answer] = [unknownToolName(t), await ask(t, unknownToolName(t))];
      if (answer.answer.status !== 404) t.cannot('the name was not answered with 404');
      const found = answer.answer.headers.find(([, value]) => value.toLowerCase().includes(name));
      if (found === undefined) return;
      t.expect({
        expected: 'no header with the name that was asked for',
        actual: `${found[0]}: ${brief(found[1])}`,
        hint: 'the 404 is opaque: it does not repeat what was asked',
        exchanges: [answer],
      });
    },
  }),
];
