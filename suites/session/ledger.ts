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
    const workspace = typeof result.workspace === 'string' ? result.workspace : '(not named)';
    if (tool === 'content.create_request') {
      const title = typeof args?.title === 'string' ? args.title : null;
      this.leftBehind.contentRequests.push({ pieceId: String(result.piece_id), workspace, title });
    }
    if (tool !== 'images.generate') return { dispatched: false };
    const dispatched = result.status === 'dispatched' || typeof result.run_id === 'string';
    if (!dispatched) {
      this.leftBehind.proposals += 1;
      return { dispatched: false };
    }
    const images = typeof result.count === 'number' ? result.count : typeof args?.count === 'number' ? args.count : 1;
    this.imagesConfirmed += images;
    this.leftBehind.runs.push({ runId: String(result.run_id), workspace, images });
    return { dispatched: true };
  }
}
