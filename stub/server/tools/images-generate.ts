import { z } from 'zod';
import { aboutLifetime } from '../../../fixtures/contract/limits.ts';
import { imagesGenerate } from '../../../fixtures/contract/tools/images-generate.ts';
import type { Item } from '../../seeded/data.ts';
import type { ConformingTool, ToolCall } from '../behavior.ts';
import { type ApiResponse, type Refused, refusal } from '../responses.ts';
import type { Confirmation, ImageRequest } from '../state/state.ts';
import { scoped } from './scoped.ts';

/** Limits of this stub. The specification defines none ("images.generate"). */
const mostImages = 12;
const shapes = ['1:1', '4:5', '5:4', '3:4', '4:3', '2:3', '3:2', '9:16', '16:9', '21:9'];

const { shape: contract } = imagesGenerate.arguments;

/** Argument schema of the contract, with the stub's limits. */
export const boundedImagesArguments = z.looseObject({
  ...contract,
  count: contract.count.refine((value) => value >= 1 && value <= mostImages, { error: `expected 1 to ${mostImages}` }),
  shape: contract.shape.refine((value) => shapes.includes(value), { error: `expected one of ${shapes.join(', ')}` }),
});

type ImagesCall = ToolCall<'images.generate'>;

/** Proposes a request, or confirms a proposal if `confirmation_id` is present ("Confirmation"). */
export const generateImages: ConformingTool<'images.generate'> = (call) => {
  const { confirmation_id } = call.args;
  return confirmation_id === undefined ? propose(call) : confirm(call, confirmation_id);
};

function propose(call: ImagesCall): ReturnType<typeof generateImages> {
  const { state, behavior, args, key, place, account } = call;
  const { board, brief, count, shape } = args;
  const target = findBoard(call, board);
  if (target === undefined) return boardNotFound(call);
  const cost = count * behavior.images.creditsEach;
  if (account.credits < cost) return insufficientCredits(call, cost);
  const now = state.clock.now();
  const images = count === 1 ? '1 image' : `${count} images`;
  const confirmation: Confirmation = {
    id: state.nextId('cnf'),
    request: { board, brief, count, shape },
    workspace: place.workspace.slug,
    account: account.id,
    role: key.role,
    summary: `Generate ${images} (${shape}) on the board "${target.name}" for ${cost} credits: ${brief}`,
    issuedAt: now,
  };
  state.confirmations.set(confirmation.id, confirmation);
  state.tally.proposals += 1;
  state.trim();
  return scoped(place, {
    ok: true,
    status: 'confirmation_required',
    confirmation_id: confirmation.id,
    request_summary: confirmation.summary,
    ...echo(confirmation.request),
    run_id: null,
  });
}

function confirm(call: ImagesCall, id: string): ReturnType<typeof generateImages> {
  const { state, behavior, key, account, place } = call;
  const held = state.confirmations.get(id);
  if (held === undefined || !behavior.confirmations.accepts(held, call)) {
    const message =
      `This confirmation cannot be used. It works once, within ${aboutLifetime} and where it was issued: ` +
      'propose again without confirmation_id and confirm the new one.';
    return refusal('tool', { code: behavior.codes.confirmationInvalid, message });
  }
  const cost = held.request.count * behavior.images.creditsEach;
  if (account.credits < cost) return insufficientCredits(call, cost);
  // Lookup and consumption are synchronous, so only one of several concurrent confirmations gets here.
  behavior.confirmations.consume(state.confirmations, held);
  account.credits -= cost;
  const run = state.nextId('run');
  place.workspace.generated.unshift(...makeImages(call, held.request));
  state.runs.push({
    run_id: run,
    confirmation_id: held.id,
    workspace: place.workspace.slug,
    account: account.id,
    role: key.role,
    images: held.request.count,
    credits: cost,
    at: state.clock.now(),
  });
  state.trim();
  state.tally.runsDispatched += 1;
  state.tally.imagesDispatched += held.request.count;
  state.tally.creditsSpent += cost;
  return scoped(place, {
    ok: true,
    status: 'dispatched',
    confirmation_id: null,
    request_summary: null,
    ...echo(held.request),
    run_id: run,
  });
}

function echo({ board, count, shape }: ImageRequest) {
  return { count, aspect_ratio: shape, board_id: board };
}

function findBoard({ place }: ImagesCall, id: string) {
  return place.workspace.content.boards.find((board) => board.id === id);
}

function makeImages(call: ImagesCall, { board, brief, count, shape }: ImageRequest): Item[] {
  const source_board_name = findBoard(call, board)?.name ?? board;
  return Array.from({ length: count }, () => ({
    kind: 'image',
    roll: 'campaign',
    title: brief.slice(0, 60),
    pinned: false,
    id: call.state.nextId('img'),
    source_board_name,
    description: brief,
    tags: ['generated', shape],
  }));
}

function boardNotFound({ behavior, place }: ImagesCall): ApiResponse<Refused> {
  const message = `The workspace "${place.workspace.content.slug}" has no such board. Check it against working_in.`;
  return refusal('tool', { code: behavior.codes.boardNotFound, message });
}

function insufficientCredits({ behavior }: ImagesCall, cost: number): ApiResponse<Refused> {
  const message = `This takes ${cost} credits, and the account has fewer.`;
  return refusal('tool', { code: behavior.codes.insufficientCredits, message });
}
