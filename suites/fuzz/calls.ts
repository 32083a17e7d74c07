import fc from 'fast-check';
import type { Context } from '../engine/context.ts';
import { anything, broken, type Drawn } from './draw.ts';
import { argumentsOf } from './schema.ts';
import type { Call } from './smallest.ts';
import { creatingSubject, proposingSubject, readingSubjects, type Subject } from './tools.ts';

/** Calls of one kind to draw from; undefined where there are none. */
export async function calls(
  t: Context,
  way: 'valid' | 'broken' | 'anything',
  subjects: 'reading' | 'creating' | 'proposing',
): Promise<fc.Arbitrary<Call> | undefined> {
  const found = await subjectsOf(t, subjects);
  const all = found.flatMap((subject) => {
    const arguments_ = argumentsOf(subject.tool);
    const drawn: Readonly<Record<typeof way, fc.Arbitrary<Drawn> | undefined>> = {
      valid: subject.good.map((args) => ({ args })),
      broken: broken(subject.good, arguments_),
      anything: anything(subject.plain, arguments_),
    };
    const from = drawn[way];
    return from === undefined ? [] : [from.map((each): Call => ({ ...each, tool: subject.tool }))];
  });
  return all.length === 0 ? undefined : fc.oneof(...all);
}

async function subjectsOf(t: Context, subjects: 'reading' | 'creating' | 'proposing'): Promise<Subject[]> {
  if (subjects === 'reading') return readingSubjects(t);
  return [subjects === 'creating' ? await creatingSubject(t) : await proposingSubject(t)];
}
