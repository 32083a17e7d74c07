import { body, isSuccess } from '../history/exchange.ts';
import type { LeftBehind } from '../result.ts';
import { imagesOf, saysDispatched } from './image-requests.ts';
import type { CompletedExchange } from './sent-exchange.ts';
import type { Settled } from './spending.ts';

/** Changes that the run made to the deployment, according to the responses. */
export class Ledger {
  readonly leftBehind: LeftBehind = { contentRequests: [], runs: [], proposals: 0 };
  /** Images that responses to correct confirmations report as dispatched. */
  imagesConfirmed = 0;

  /** Records a created content request. A response without a `piece_id` shows none. */
  contentRequest(exchange: CompletedExchange): void {
    const { piece_id: pieceId } = body(exchange);
    if (!isSuccess(exchange) || typeof pieceId !== 'string' || pieceId === '') return;
    const title = exchange.request.args?.title;
    this.leftBehind.contentRequests.push({
      pieceId: short(pieceId),
      workspace: workspaceOf(exchange),
      title: typeof title === 'string' ? title : null,
    });
  }

  /** Records a proposal or a dispatch. A response cannot claim more images than were reserved. */
  images(exchange: CompletedExchange, { most, confirmed }: Settled): void {
    const { count, run_id: runId } = body(exchange);
    if (!saysDispatched(exchange)) {
      if (isSuccess(exchange)) this.leftBehind.proposals += 1;
      return;
    }
    const images = Math.min(imagesOf(count) ?? most, most);
    if (confirmed) this.imagesConfirmed += images;
    this.leftBehind.runs.push({ runId: short(runId), workspace: workspaceOf(exchange), images });
  }
}

function workspaceOf(exchange: CompletedExchange): string {
  const { workspace } = body(exchange);
  return typeof workspace === 'string' ? short(workspace) : '(not named)';
}

/** Truncates an ID, because a very long one would fill the report. */
function short(id: unknown): string {
  return String(id).slice(0, 200);
}
