import { limits } from '../../fixtures/contract/limits.ts';
import { isRole } from '../../fixtures/roles.ts';
import { ageAt, type Completed } from '../history/exchange.ts';
import { hasBoard, type Knowledge } from '../history/history.ts';
import { declinedWith } from './declined.ts';
import type { Ids } from './ids.ts';
import { isValid } from './violations.ts';

/** Longest time that a proposal may be open, or keep its board busy, in milliseconds. */
const openMs = limits.confirmation.surelyDead * 60_000;

const mostRemembered = 256;

/** Tools that may decline a valid request in an accessible workspace: some days, titles, words and questions. */
const selectiveTools = ['content.create_request', 'library.search', 'knowledge.search'] as const;

/**
 * Codes with which the service declined valid requests. It has its own rules, for example on open
 * proposals and full days.
 */
export class HouseRules {
  readonly #codes = new Set<string>();

  add(exchange: Completed, knowledge: Knowledge): void {
    const { request, sender } = exchange;
    const { workspace, board, confirmation_id: id } = request.args ?? {};
    const code = declinedWith(exchange);
    if (code === undefined || sender.kind !== 'key' || sender.role === null || !isValid(exchange)) return;
    // The other keys of a run may not reach the workspace.
    if (isRole(sender.role) && sender.role !== 'primary') return;
    const isThere = hasBoard(sender.role, workspace, board, knowledge);
    const isFirstCall = request.tool === 'images.generate' && id === undefined && isThere;
    const isOwn = isRole(sender.role)
      ? knowledge.workspaces.some((known) => known.account === 'own' && known.workspace === workspace)
      : typeof workspace === 'string';
    const isOther = isOwn && selectiveTools.some((tool) => tool === request.tool);
    if ((isFirstCall || isOther) && this.#codes.size < mostRemembered) this.#codes.add(code);
  }

  /** Returns whether a request was declined with a code that also declined a valid request. */
  declined(exchange: Completed): boolean {
    const code = declinedWith(exchange);
    return code !== undefined && this.#codes.has(code);
  }
}

/** Returns whether earlier proposals may explain a declined proposal: too many open ones, or a busy board. */
export function mayBeTooMany(exchange: Completed, ids: Ids): boolean {
  if (declinedWith(exchange) === undefined) return false;
  for (const { proposal } of ids.all()) if (ageAt(proposal, exchange) < openMs) return true;
  return false;
}
