import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Answered } from '../exchange.ts';
import type { Finding } from '../rules/finding.ts';
import { NotTested } from '../session/budget.ts';
import { effectOf, Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Judging } from './judging.ts';

/** Failed requirements that are tried again. Where more fail, chance is no likely cause. */
const mostAttempts = 20;

/** Of a finding that did not come about a second time. */
export const unstable =
  'seen once: when its requests were sent again, the requirement was met. It depends on earlier requests, ' +
  'or the deployment does not always respond in the same way';

/** Whether a request may do more than read, however often it is sent. */
const mayChange = ({ credential, request }: Answered) =>
  effectOf({ credential, tool: '', path: request.url }) !== undefined;

/**
 * Sends the requests of each finding again that was made once, where they only read. Returns the requirements that were
 * met then.
 */
export async function tryAgain(
  judging: Pick<Judging, 'judgements' | 'found'>,
  session: Pick<Session, 'repeat'>,
  interrupted: () => boolean,
): Promise<ReadonlySet<RequirementId>> {
  const met = new Set<RequirementId>();
  const judgementOf = (id: RequirementId) => judging.judgements(new Set([id])).at(0);
  const failed = judging.judgements().filter(({ findings }) => findings.length > 0);
  for (const { id, findings, tested } of failed.length > mostAttempts ? [] : failed) {
    const [finding, ...others] = findings;
    if (finding === undefined || others.length > 0) continue;
    const shown = judging.found(finding).exchanges;
    if (shown.some(mayChange)) continue;
    if (interrupted()) return met;
    if (!(await repeats(session, finding))) continue;
    const after = judgementOf(id);
    if (after !== undefined && after.findings.length === 1 && after.tested > tested) met.add(id);
  }
  return met;
}

/** Sends the requests of a finding again; false if one of them got no response. */
async function repeats(session: Pick<Session, 'repeat'>, { exchanges }: Finding): Promise<boolean> {
  try {
    for (const { number } of exchanges) await session.repeat(number);
    return true;
  } catch (error) {
    if (error instanceof NotTested || error instanceof Unanswered) return false;
    throw error;
  }
}
