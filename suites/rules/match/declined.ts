import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';

const shown: readonly unknown[] = Object.values(refusalCodes);

/** The code of a refusal by the service's own rule: one that the specification does not show (rule 5). */
export function declinedWith(exchange: Completed): string | undefined {
  const { code } = body(exchange);
  return isRefusal(exchange) && typeof code === 'string' && !shown.includes(code) ? code : undefined;
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
