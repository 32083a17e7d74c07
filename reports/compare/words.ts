import { counted } from '../../suites/usage/counted.ts';
import { deploymentName, isCritical, statusWords, type Tone } from '../status-words.ts';
import type { Change, Comparison } from './model.ts';

/** The result of a comparison, as one line of counts: causes, then requirements. */
export function verdictOfComparison({ causes, changes, observations }: Comparison): string {
  const counts: readonly (readonly [count: number, words: string])[] = [
    [changes.otherFailures.length, counted(changes.otherFailures.length, 'new failure')],
    [changes.fixes.length, `${changes.fixes.length} fixed`],
    [changes.stillFailing.length, `${changes.stillFailing.length} still failing`],
    [changes.noLongerTested.length, `${changes.noLongerTested.length} no longer tested`],
    [changes.newlyTested.length, `${changes.newlyTested.length} newly tested`],
    [changes.advice.length, counted(changes.advice.length, 'changed recommendation')],
    [observations.length, counted(observations.length, 'changed observation')],
  ];
  const { regressions } = changes;
  const critical = regressions.filter(isCritical).length;
  const first = regressions.length === 0 ? 'no regression' : counted(regressions.length, 'regression');
  const ofRequirements = [
    critical > 0 ? `${first} (${critical} critical)` : first,
    ...counts.filter(([count]) => count > 0).map(([, words]) => words),
  ].join(', ');
  const ofCauses = causeCounts(causes).join(', ');
  return ofCauses === '' ? ofRequirements : `${ofCauses}; ${ofRequirements}`;
}

/** `1 new cause`, `2 fixed causes`: only what changed. */
export function causeCounts({ added, revealed, gone }: Comparison['causes']): string[] {
  const appeared = added.length + revealed.length;
  return [
    ...(appeared > 0 ? [counted(appeared, 'new cause')] : []),
    ...(gone.length > 0 ? [counted(gone.length, 'fixed cause')] : []),
  ];
}

/** Color of a comparison: red for regressions, green if the later run is complete and conformant. */
export function toneOfComparison({ changes, after }: Comparison): Tone {
  if (changes.regressions.length > 0) return 'bad';
  return after.verdict === 'conformant' && after.complete ? 'good' : 'partial';
}

/** `passed → failed`. */
export function changed({ before, after }: Change): string {
  const word = (status: Change['before']) => (status === null ? 'not in the kit' : statusWords[status].word);
  return before === after ? word(after) : `${word(before)} → ${word(after)}`;
}

/** Why two reports are not fully comparable. */
export function notes({ before, after, selection }: Comparison): string[] {
  const lost = before.scope.filter((each) => !after.scope.includes(each));
  const added = after.scope.filter((each) => !before.scope.includes(each));
  const scopes = [
    ...(lost.length > 0 ? [`only before: ${lost.join(', ')}`] : []),
    ...(added.length > 0 ? [`only after: ${added.join(', ')}`] : []),
  ];
  const selections = [
    ...(selection.onlyBefore.length > 0 ? [`only before: ${counted(selection.onlyBefore.length, 'requirement')}`] : []),
    ...(selection.onlyAfter.length > 0 ? [`only after: ${counted(selection.onlyAfter.length, 'requirement')}`] : []),
  ];
  const differing = (what: string, one: unknown, other: unknown) =>
    one === other ? [] : [`the two runs have different ${what}: ${one} and ${other}`];
  return [
    ...differing(before.kind === 'client' ? 'clients' : 'deployments', deploymentName(before), deploymentName(after)),
    ...(scopes.length > 0 ? [`the two runs had different scopes, ${scopes.join('; ')}`] : []),
    ...(selections.length > 0 ? [`the two runs selected different requirements, ${selections.join('; ')}`] : []),
    ...differing('seeds', before.seed, after.seed),
    ...(before.documentSha256 === after.documentSha256
      ? []
      : ['the two runs tested different versions of the specification']),
    ...differing('versions of the kit', before.kitVersion, after.kitVersion),
    ...(before.complete === after.complete ? [] : ['one run was complete, the other was not']),
  ];
}

/** Values of an observation in one line. */
export function shownValues(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '(missing)'))).join(', ');
}
