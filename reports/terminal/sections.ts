import { summarizeIds } from '../../suites/ids-summary.ts';
import type { RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { erroredGroups } from '../errored.ts';
import { figuresOf } from '../figures.ts';
import { gapsOf } from '../gaps.ts';
import { plain } from '../plain.ts';
import { field, type Look, paint, paragraph } from './layout.ts';

/** Maximum number of items in a list. The rest is only counted. */
const thingsNamed = 3;

/** Width of the column with the number of requirements of a step. */
const numberColumns = 6;
const stepsShown = 10;

/** Errored requirements by reason. */
export function erroredLines(look: Look, result: RunResult): string[] {
  const groups = erroredGroups(result);
  if (groups.length === 0) return [];
  return [
    heading(look, `Could not be judged (${counted(figuresOf(result).requirements.errored, 'requirement')})`),
    ...groups.flatMap(({ reason, requirements, exchanges: [shownBy] }) => [
      ...paragraph(
        look,
        `? ${plain(reason)}${shownBy === undefined ? '' : `, see request #${shownBy} in report.html`}`,
        2,
      ),
      ...paragraph(look, plain(summarizeIds(requirements), 2000), 4, ['dim']),
    ]),
    '',
  ];
}

/**
 * Untested requirements: a line for each step that makes some of them testable, the most effective first. The numbers
 * add up to the number in the heading.
 * @param shown maximum number of steps, because a report has the others
 */
export function gapLines(look: Look, result: RunResult, shown = stepsShown): string[] {
  const { steps, others } = gapsOf(result);
  // If nothing was tested, the reasons above say why.
  const [first] = others;
  if (steps.length + others.length === 0 || first?.requirements.length === result.requirements.length) return [];
  const left = steps.slice(shown);
  return [
    heading(look, `Not tested (${counted(figuresOf(result).requirements.notTested, 'requirement')})`),
    ...(steps.length > 0 ? ['  To test more, add these in order:'] : []),
    ...steps
      .slice(0, shown)
      .flatMap(({ add, requirements }) =>
        numbered(look, requirements.length, add.map(({ text }) => text).join(' and ')),
      ),
    ...(left.length > 0 ? numbered(look, left.flatMap((step) => step.requirements).length, moreSteps(left)) : []),
    ...(others.length > 0 && steps.length > 0 ? ['  Not tested for other reasons:'] : []),
    ...others.flatMap(({ reason, requirements }) => {
      const named = requirements.length === 1 ? `${requirements[0]}: ` : '';
      return numbered(look, requirements.length, `${named}${reason}`);
    }),
    '',
  ];
}

const moreSteps = (steps: readonly unknown[]) => `for ${counted(steps.length, 'more step')}, listed in report.html`;

function numbered(look: Look, count: number, text: string): string[] {
  const [first = '', ...rest] = paragraph(look, plain(text), numberColumns);
  return [`${String(count).padStart(numberColumns - 2)}  ${first.slice(numberColumns)}`, ...rest];
}

/** Failures that the list of known failures accepts. */
export function knownLines(look: Look, result: RunResult): string[] {
  const known = result.requirements.filter(({ status }) => status === 'known-failure');
  if (known.length === 0) return [];
  return [
    heading(look, `Known failures (${counted(known.length, 'requirement')})`),
    ...known.flatMap(({ id, knownFailure: note }) => {
      const entry = note === undefined ? '' : `: until ${note.expires}, ${note.owner}, ${note.issue}`;
      return paragraph(look, plain(`~ ${id}${entry}`), 2);
    }),
    '',
  ];
}

/** Resources that the run left on the deployment. Empty for the embedded stub, which ends with the run. */
export function leftBehindLines(look: Look, { target, leftBehind: left }: RunResult): string[] {
  if (target.kind === 'stub') return [];
  const lines = [
    ...listed(look, 'content', left.contentRequests, ({ pieceId, workspace }) => `${pieceId} in ${workspace}`),
    ...listed(
      look,
      'images',
      left.runs,
      (run) => `${counted(run.images, 'image')} of ${run.runId} in ${run.workspace}`,
    ),
    ...(left.proposals > 0 ? field(look, 'proposals', `${left.proposals} not confirmed; they expire`, 2) : []),
  ];
  return lines.length === 0 ? [] : [heading(look, 'Left on the deployment'), ...lines, ''];
}

function listed<T>(look: Look, label: string, things: readonly T[], text: (thing: T) => string): string[] {
  if (things.length === 0) return [];
  const named = things.slice(0, thingsNamed).map((thing) => plain(text(thing), 120));
  const rest = things.length - named.length;
  return field(look, label, `${named.join(', ')}${rest > 0 ? ` and ${rest} more in report.html` : ''}`, 2);
}

export function heading(look: Look, text: string): string {
  return paint(look, ['bold'], text);
}
