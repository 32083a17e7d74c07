import { named } from '../../suites/named.ts';
import type { RunResult } from '../../suites/result.ts';
import { erroredGroups } from '../errored.ts';
import { figuresOf } from '../figures.ts';
import { gapsOf } from '../gaps.ts';
import { plain } from '../plain.ts';
import { counted } from '../status-words.ts';
import { field, type Look, paint, paragraph } from './layout.ts';

/** Things named in one list before the rest is only counted. */
const thingsNamed = 3;

/** Room for the number of requirements that a step makes testable. */
const numberColumns = 6;
const stepsShown = 10;

/** What could not be judged, by reason. */
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
      ...paragraph(look, plain(named(requirements), 2000), 4, ['dim']),
    ]),
    '',
  ];
}

/** What was not tested, and what to add next: a line for each step, the most rewarding first. */
export function gapLines(look: Look, result: RunResult): string[] {
  const { steps, others } = gapsOf(result);
  // Where nothing could be tested at all, the reasons above say why.
  const [first] = others;
  if (steps.length + others.length === 0 || first?.requirements.length === result.requirements.length) return [];
  const left = steps.length - stepsShown;
  return [
    heading(look, `Not tested (${counted(figuresOf(result).requirements.notTested, 'requirement')})`),
    ...(steps.length > 0 ? ['  How many requirements become testable, and what to add, in this order:'] : []),
    ...steps
      .slice(0, stepsShown)
      .flatMap(({ add, requirements }) =>
        numbered(look, requirements.length, add.map(({ text }) => text).join(' and ')),
      ),
    ...(left > 0 ? [`  and ${counted(left, 'more step')} in report.html`] : []),
    ...(others.length > 0 && steps.length > 0 ? ['  Not tested for other reasons:'] : []),
    ...others.flatMap(({ reason, requirements }) => {
      const named = requirements.length === 1 ? `${requirements[0]}: ` : '';
      return numbered(look, requirements.length, `${named}${reason}`);
    }),
    '',
  ];
}

function numbered(look: Look, count: number, text: string): string[] {
  const [first = '', ...rest] = paragraph(look, plain(text), numberColumns);
  return [`${String(count).padStart(numberColumns - 2)}  ${first.slice(numberColumns)}`, ...rest];
}

/** Failures that a list of known failures excuses. */
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

/** What the run left on the deployment; nothing where the deployment was a stub that ended with the run. */
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

/** Title of a section. */
export function heading(look: Look, text: string): string {
  return paint(look, ['bold'], text);
}
