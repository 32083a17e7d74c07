import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { checks } from '../checks/index.ts';
import type { Session } from '../session/session.ts';
import { judge } from './audit-rules.ts';
import type { Outcome } from './outcome.ts';

/** Tells when a run that stops at the first failure has met one: a check that failed, or an answer that breaks a rule of what was selected. */
export class Bail {
  readonly #session: Session;
  readonly #rules: typeof checks;
  #judged = 0;

  constructor(session: Session, selected: ReadonlySet<RequirementId>) {
    this.#session = session;
    this.#rules = checks.filter(({ requirement }) => selected.has(requirement) && isMust(requirement));
  }

  /** To be asked after each check, with what came of it. */
  calledFor({ check, status }: Outcome): boolean {
    return (status === 'failed' && isMust(check.requirement)) || this.#brokenRule();
  }

  /** Whether any answer since the last time breaks a rule. */
  #brokenRule(): boolean {
    const since = this.#session.exchanges.slice(this.#judged);
    this.#judged = this.#session.exchanges.length;
    return [...judge(this.#rules, since).values()].some(({ findings }) => findings.length > 0);
  }
}

function isMust(id: RequirementId): boolean {
  return requirements.find((requirement) => requirement.id === id)?.level !== 'should';
}
