import type { RunResult, Status, Verdict } from '../suites/result.ts';

/** How a status is shown where there is no colour: a sign of its own, and a word. */
export const statusWords: Readonly<Record<Status, { sign: string; word: string }>> = {
  failed: { sign: '✗', word: 'failed' },
  errored: { sign: '?', word: 'errored' },
  warned: { sign: '!', word: 'warned' },
  'known-failure': { sign: '~', word: 'known failure' },
  'not-tested': { sign: '·', word: 'not tested' },
  passed: { sign: '✓', word: 'passed' },
};

/** What a verdict means to someone who must decide. */
export function verdictSentence({
  verdict,
  target,
  summary,
}: Pick<RunResult, 'verdict' | 'target' | 'summary'>): string {
  const whose = target.kind === 'client' ? 'client' : 'deployment';
  const sentences: Readonly<Record<Verdict, string>> = {
    conformant: `Everything that was tested is as the document says${summary.warned === 0 ? '' : ', but for what it only advises'}.`,
    'non-conformant': `The ${whose} does not keep to the document.`,
    inconclusive: `The run cannot tell whether the ${whose} keeps to the document.`,
  };
  return sentences[verdict];
}

/** What keeps a run that was not cut short from being complete. */
export function incompleteness({ errored, notTested }: RunResult['summary']): string {
  return [
    ...(errored > 0 ? [`${counted(errored, 'requirement')} could not be judged`] : []),
    ...(notTested > 0 ? [`${counted(notTested, 'requirement was', 'requirements were')} not tested`] : []),
  ].join('; ');
}

/** `1 image`, `2 images`; the plural may be given where it is not the word with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The deployment as a reader knows it: the stub within the kit has no address. */
export function targetName({ target }: Pick<RunResult, 'target'>): string {
  return target.kind === 'stub' ? 'the stub within the kit' : target.baseUrl;
}
