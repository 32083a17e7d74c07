import { type Answered, body, isSuccess } from '../exchange.ts';
import type { LeftBehind } from '../result.ts';
import { imagesOf, saysDispatched } from './image-requests.ts';
import type { Settled } from './spending.ts';

/** What the run has done to the deployment, as the responses to its own requests say. */
export class Ledger {
  readonly leftBehind: LeftBehind = { contentRequests: [], runs: [], proposals: 0 };
  /** Images that responses to correct confirmations say are running. */
  imagesConfirmed = 0;

  /** Enters the response to a request that asked for a piece; one that names none says nothing. */
  contentRequest(exchange: Answered): void {
    const { piece_id: pieceId } = body(exchange);
    if (!isSuccess(exchange) || typeof pieceId !== 'string' || pieceId === '') return;
    const title = exchange.request.args?.title;
    this.leftBehind.contentRequests.push({
      pieceId: short(pieceId),
      workspace: workspaceOf(exchange),
      title: typeof title === 'string' ? title : null,
    });
  }

  /** Enters the response to a request that proposed or confirmed images. It cannot claim more than was asked for. */
  images(exchange: Answered, { most, confirmed }: Settled): void {
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

function workspaceOf(exchange: Answered): string {
  const { workspace } = body(exchange);
  return typeof workspace === 'string' ? short(workspace) : '(not named)';
}

/** An id as text; one that goes on and on would only fill the report. */
function short(id: unknown): string {
  return String(id).slice(0, 200);
}
