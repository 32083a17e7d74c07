import { refusals } from '../../fixtures/contract/codes.ts';
import { body, type Completed, type Ended, isRefusal } from '../history/exchange.ts';

const shown: readonly unknown[] = refusals.map(({ code }) => code);
const withoutExcuse: readonly unknown[] = refusals.filter(({ excuses }) => !excuses).map(({ code }) => code);

/**
 * Returns the code of a refusal by the service's own rule (rule 5). The specification does not list the code, or lists
 * it as an excuse.
 */
export function declinedWith(exchange: Ended): string | undefined {
  const { code } = body(exchange);
  return isRefusal(exchange) && typeof code === 'string' && !withoutExcuse.includes(code) ? code : undefined;
}

/** Returns whether a refusal has a code that the specification lists. */
export function hasShownCode(exchange: Ended): boolean {
  return isRefusal(exchange) && shown.includes(body(exchange).code);
}

/** Returns the code of a refusal for missing credits. The specification shows no code for this refusal. */
export function declinedForCredits(exchange: Ended): string | undefined {
  const code = declinedWith(exchange);
  return /credit|balance|fund|quota|payment/i.test(`${code} ${body(exchange).message}`) ? code : undefined;
}

/**
 * Whether the service may decline a valid request by its own rule: a day, a title or a format of content, or words to
 * search for. An empty query of the library has none.
 */
export const isSelective = ({ request: { tool, args } }: Completed): boolean =>
  tool === 'content.create_request' ||
  (typeof args?.query === 'string' && (tool !== 'library.search' || args.query !== ''));
