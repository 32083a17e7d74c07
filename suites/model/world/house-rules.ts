import { refusals } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { isRole } from '../../../fixtures/roles.ts';
import { ageAt, body, type Completed, type Ended, isRefusal } from '../../exchange/exchange.ts';
import { hasBoard, type Knowledge } from '../../exchange/history.ts';
import type { Ids } from './ids.ts';
import { freeTexts, type Successes, type Wanted } from './successes.ts';
import { isValid } from './violations.ts';

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

/** Longest time that a proposal may be open, or keep its board busy, in milliseconds. */
const openMs = limits.confirmation.surelyDead * 60_000;

const mostRemembered = 256;

/** Tools that may decline a valid request in an accessible workspace: some days, titles, words and questions. */
const selectiveTools = ['content.create_request', 'library.search', 'knowledge.search'] as const;

/** Words that a service has no reason to decline. */
const isPlain = (words: unknown) => words === undefined || (typeof words === 'string' && /^[ -~]{3,80}$/.test(words));

/**
 * Codes with which the service declined valid requests that it accepted at another time. It has its own rules, for
 * example on open proposals and full days. A value that it never accepts is no such rule: it may refuse this value and
 * a missing argument with the same wrong code.
 */
export class HouseRules {
  readonly #declined = new Map<string, { code: string; wanted: Wanted }>();

  add(exchange: Completed, knowledge: Knowledge): void {
    const { request, sender } = exchange;
    const { args = null, tool } = request;
    const { workspace, board, confirmation_id: id, title, query } = args ?? {};
    const code = declinedWith(exchange);
    if (args === null || tool === null || ![title, query].every(isPlain)) return;
    if (code === undefined || sender.kind !== 'key' || sender.role === null || !isValid(exchange)) return;
    // The other keys of a run may not reach the workspace.
    if (isRole(sender.role) && sender.role !== 'primary') return;
    const isThere = hasBoard(sender.role, workspace, board, knowledge);
    const isFirstCall = tool === 'images.generate' && id === undefined && isThere;
    const isOwn = isRole(sender.role)
      ? knowledge.workspaces.some((known) => known.account === 'own' && known.workspace === workspace)
      : typeof workspace === 'string';
    const isOther = isOwn && selectiveTools.some((tool) => tool === request.tool);
    if ((!isFirstCall && !isOther) || this.#declined.size >= mostRemembered) return;
    const rest = Object.entries(args).filter(([name]) => !freeTexts.includes(name));
    this.#declined.set(JSON.stringify([code, tool, rest]), { code, wanted: { role: sender.role, tool, args } });
  }

  /** Returns whether a request was declined with the code of such a rule. */
  declined(exchange: Completed, successes: Successes): boolean {
    const declined = declinedWith(exchange);
    if (declined === undefined) return false;
    for (const { code, wanted } of this.#declined.values()) if (code === declined && successes.has(wanted)) return true;
    return false;
  }
}

/** Returns whether earlier proposals may explain a declined proposal: too many open ones, or a busy board. */
export function mayBeTooMany(exchange: Completed, ids: Ids): boolean {
  if (declinedWith(exchange) === undefined) return false;
  for (const { proposal } of ids.all()) if (ageAt(proposal, exchange) < openMs) return true;
  return false;
}
