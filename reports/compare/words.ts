import { counted, statusWords } from '../status-words.ts';
import type { Change, Comparison } from './model.ts';

/** What a comparison comes to, in one sentence. */
export function verdictOfComparison({ changes }: Comparison): string {
  const { regressions, fixes, otherFailures } = changes;
  const others = [
    ...(fixes.length > 0 ? [`${fixes.length} fixed`] : []),
    ...(otherFailures.length > 0 ? [`${otherFailures.length} broken that were not known to be kept`] : []),
  ];
  const first = regressions.length === 0 ? 'no regression' : counted(regressions.length, 'regression');
  return [first, ...others].join(', ');
}

/** `passed → failed`. */
export function changed({ before, after }: Change): string {
  const word = (status: Change['before']) => (status === null ? 'not in the kit' : statusWords[status].word);
  return before === after ? word(after) : `${word(before)} → ${word(after)}`;
}

/** What keeps two reports from being quite comparable. */
export function notes({ before, after }: Comparison): string[] {
  return [
    ...(before.documentSha256 === after.documentSha256
      ? []
      : ['the two runs tested different versions of the specification']),
    ...(before.kitVersion === after.kitVersion
      ? []
      : [`the two runs are of different versions of the kit: ${before.kitVersion} and ${after.kitVersion}`]),
    ...(before.complete === after.complete ? [] : ['one run was complete, the other was not']),
  ];
}

/** Values of an observation in one line. */
export function shownValues(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))).join(', ');
}
