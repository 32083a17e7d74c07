import { limits } from '../../../fixtures/contract/limits.ts';
import { ageAt, type Completed } from '../../history/exchange.ts';
import { hasBoard, type Knowledge } from '../../history/history.ts';
import { declinedWith } from '../match/declined.ts';
import { isValid } from '../violations.ts';
import type { Ids } from './ids.ts';

/** So long a proposal may be open, or keep its board busy, at most; in milliseconds. */
const openMs = limits.confirmation.surelyDead * 60_000;

const mostRemembered = 256;

/**
 * Codes by which the service declined what nothing is wrong with, whoever asked: its own rules, such as on open
 * proposals and full days.
 */
export class HouseRules {
  readonly #codes = new Set<string>();

  add(exchange: Completed, knowledge: Knowledge): void {
    const { request, sender } = exchange;
    const { workspace, board, confirmation_id: id } = request.args ?? {};
    const code = declinedWith(exchange);
    if (code === undefined || sender.kind !== 'key' || !isValid(exchange)) return;
    const isThere = hasBoard(sender.role, workspace, board, knowledge);
    const isFirstCall = request.tool === 'images.generate' && id === undefined && isThere;
    const isCreation = request.tool === creating && typeof workspace === 'string';
    if (!isFirstCall && !isCreation) return;
    if (this.#codes.size < mostRemembered) this.#codes.add(keyOf(exchange, code));
  }

  /** Whether a request was declined by a rule that another one met with which nothing is wrong. */
  declined(exchange: Completed): boolean {
    const code = declinedWith(exchange);
    return code !== undefined && this.#codes.has(keyOf(exchange, code));
  }
}

const creating = 'content.create_request';

const keyOf = ({ request }: Completed, code: string) => `${request.tool} ${code}`;

/** Whether earlier proposals may be what a proposal is declined for: open ones, and boards that are busy with them. */
export function mayBeTooMany(exchange: Completed, ids: Ids): boolean {
  if (declinedWith(exchange) === undefined) return false;
  for (const { proposal } of ids.all()) if (ageAt(proposal, exchange) < openMs) return true;
  return false;
}
