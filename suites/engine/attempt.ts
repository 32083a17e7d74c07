import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../exchange.ts';
import { belowServerError } from '../expect/answers.ts';
import { isRuleCheck } from '../rule.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import { TooLarge } from '../session/too-large.ts';
import { Context, type Surroundings } from './context.ts';
import { grouped, type Outcome } from './outcome.ts';

/**
 * Runs a check once. What it found decides; whatever it throws is a fault of the kit or the network, and never turns
 * into a failure or a pass.
 */
export async function attempt(check: Check, around: Surroundings, interrupted: () => boolean): Promise<Outcome> {
  const t = new Context(around);
  const startedAt = performance.now();
  let ended: Ending = { status: 'passed' };
  try {
    await check.run(t);
  } catch (error) {
    ended = thrown(error, interrupted(), t.latest);
  }
  if (ended.status === 'passed' && !isRuleCheck(check)) t.expect(...untold(t).map(belowServerError));
  const findings = grouped(t.findings);
  const durationMs = performance.now() - startedAt;
  if (findings.length > 0) return { check, status: 'failed', durationMs, findings };
  return { check, ...ended, durationMs, findings };
}

/**
 * Answers 5xx that the check let pass: no answer of the document's is one, whatever the check was after. What a finding shows
 * already is not told twice, and a rule is judged on such answers by itself.
 */
function untold({ findings, serverErrors }: Context): Answered[] {
  const told = new Set(findings.flatMap(({ exchanges }) => exchanges.map(({ seq }) => seq)));
  return [...serverErrors.values()].filter(({ seq }) => !told.has(seq));
}

type Ending = Pick<Outcome, 'status' | 'reason' | 'missing' | 'exchanges'>;

function thrown(error: unknown, interrupted: boolean, latest: Exchange | undefined): Ending {
  if (error instanceof NotTested) {
    const shown = error instanceof TooLarge ? error.exchange : undefined;
    return { status: 'not-tested', reason: error.message, missing: error.missing, ...evidence(shown) };
  }
  if (interrupted) {
    return { status: 'not-tested', reason: 'the run was cut short', missing: [{ kind: 'interruption' }] };
  }
  if (error instanceof Unanswered) {
    const { exchange } = error;
    const where =
      exchange === undefined ? '' : ` (${exchange.request.tool ?? exchange.request.url}, ${exchange.credential.label})`;
    return { status: 'errored', reason: `${error.message}${where}`, ...evidence(exchange) };
  }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { status: 'errored', reason: `the check itself broke: ${reason}`, ...evidence(latest) };
}

function evidence(exchange: Exchange | undefined): Pick<Outcome, 'exchanges'> {
  return exchange === undefined ? {} : { exchanges: [exchange] };
}
