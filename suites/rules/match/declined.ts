import { refusals } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';

const shown: readonly unknown[] = refusals.map(({ code }) => code);
const withoutExcuse: readonly unknown[] = refusals.filter(({ excuses }) => !excuses).map(({ code }) => code);

/**
 * The code of a refusal by the service's own rule (rule 5): one that the specification does not show, or whose row says
 * that it excuses.
 */
export function declinedWith(exchange: Completed): string | undefined {
  const { code } = body(exchange);
  return isRefusal(exchange) && typeof code === 'string' && !withoutExcuse.includes(code) ? code : undefined;
}

/** Whether a refusal has one of the codes that the specification shows. */
export function hasShownCode(exchange: Completed): boolean {
  return isRefusal(exchange) && shown.includes(body(exchange).code);
}

/**
 * The code of a refusal that says that the request cannot be paid; the specification does not show how that is told.
 */
export function declinedForCredits(exchange: Completed): string | undefined {
  const code = declinedWith(exchange);
  return /credit|balance|fund|quota|payment/i.test(`${code} ${body(exchange).message}`) ? code : undefined;
}
