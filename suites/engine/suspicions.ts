import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { isCompleted } from '../history/exchange.ts';
import type { Finding } from '../rules/finding.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Judging } from './judging.ts';

/** Suspicions that a run looks into at one time, each with a bounded number of repetitions. */
const mostSuspicions = 24;

/** Repeats the exchanges of what is suspected, in turn, so that it becomes certain or is dropped. */
export async function lookAgain(judging: Judging, session: Session, interrupted: () => boolean): Promise<void> {
  const looked = new Set<string>();
  for (let number = 0; number < mostSuspicions && !interrupted(); number += 1) {
    // One certain finding of a requirement is enough: others would say the same again, and cost requests.
    const open = judging.judgements().filter(({ findings }) => findings.length === 0);
    const all = open.flatMap(({ id, suspicions }) => suspicions.map((each) => ({ id, each })));
    const next = all.find(({ id, each }) => !looked.has(nameOf(id, each)));
    if (next === undefined) return;
    looked.add(nameOf(next.id, next.each));
    await repeat(session, next.each);
  }
}

async function repeat(session: Session, { exchanges, uncertain = 0 }: Finding): Promise<void> {
  const numbers = [...new Set(exchanges.map(({ number }) => number))];
  for (let round = 0; round < uncertain; round += 1) {
    for (const number of round % 2 === 0 ? [...numbers].reverse() : numbers) {
      try {
        await session.repeat(number);
      } catch (error) {
        if (error instanceof NotTested || error instanceof Unanswered) return;
        throw error;
      }
    }
  }
}

function nameOf(id: RequirementId, { exchanges }: Finding): string {
  const causes = exchanges.filter(isCompleted).map(({ sender, request }) => `${sender.label} ${request.tool}`);
  return [id, ...causes].join('\n');
}
