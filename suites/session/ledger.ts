import { type Answered, body, isSuccess } from '../exchange.ts';
import type { LeftBehind } from '../result.ts';

/** What the run has done to the deployment, read off the answers as they come. */
export class Ledger {
  readonly leftBehind: LeftBehind = { contentRequests: [], runs: [], proposals: 0 };
  imagesConfirmed = 0;

  /** Enters an answer; tells whether images were dispatched by it. */
  enter(exchange: Answered): { dispatched: boolean } {
    const { tool, args } = exchange.request;
    if (!isSuccess(exchange)) return { dispatched: false };
    const result = body(exchange);
    const workspace = typeof result.workspace === 'string' ? short(result.workspace) : '(not named)';
    if (tool === 'content.create_request') {
      const title = typeof args?.title === 'string' ? args.title : null;
      this.leftBehind.contentRequests.push({ pieceId: short(result.piece_id), workspace, title });
    }
    if (tool !== 'images.generate') return { dispatched: false };
    const dispatched = result.status === 'dispatched' || typeof result.run_id === 'string';
    if (!dispatched) {
      this.leftBehind.proposals += 1;
      return { dispatched: false };
    }
    const images = imagesOf(result.count) ?? imagesOf(args?.count) ?? 1;
    this.imagesConfirmed += images;
    this.leftBehind.runs.push({ runId: short(result.run_id), workspace, images });
    return { dispatched: true };
  }
}

/** A number of images, which is neither a fraction nor beyond counting. */
export function imagesOf(count: unknown): number | undefined {
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

/** An id as text; one that goes on and on would only fill the report. */
function short(id: unknown): string {
  return String(id).slice(0, 200);
}
