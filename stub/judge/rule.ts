import type { ClientFinding } from '../../fixtures/judgement.ts';
import type { Course } from './turn.ts';

/** What a rule finds in what worlds saw of a client. */
export interface RuleOutcome {
  /** Whether anything happened that the rule could be broken by. */
  readonly tried: boolean;
  readonly findings: readonly ClientFinding[];
}

/** A rule over everything that was seen; most look at one course at a time. */
export type Rule = (courses: readonly Course[]) => RuleOutcome;

/** A rule that looks at each course for itself. */
export const inEach =
  (look: (course: Course) => RuleOutcome): Rule =>
  (courses) => {
    const verdicts = courses.map(look);
    return {
      tried: verdicts.some(({ tried }) => tried),
      findings: verdicts.flatMap(({ findings }) => findings),
    };
  };
