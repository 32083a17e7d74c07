import { about, refusal, success } from './answers.ts';
import type { Answer, Call, Proposal } from './model.ts';
import { digits } from './world.ts';

export async function propose(call: Call): Promise<Answer> {
  const { world, args, key, at, now } = call;
  world.serial += 1;
  const proposal: Proposal = {
    id: world.settings.confirmationId(world.serial),
    account: key.account,
    workspace: at.slug,
    board: String(args.board),
    brief: String(args.brief),
    count: Number(args.count),
    shape: String(args.shape),
    issued: now,
    used: false,
  };
  world.proposals.set(proposal.id, proposal);
  return success({
    status: 'confirmation_required',
    confirmation_id: proposal.id,
    request_summary: `Generate ${proposal.count} images (${proposal.shape}) on board ${proposal.board}.`,
    ...shown(proposal),
    run_id: null,
    ...about(call),
  });
}

function shown({ count, shape, board }: Proposal): { count: number; aspect_ratio: string; board_id: string } {
  return { count, aspect_ratio: shape, board_id: board };
}

export function live({ world, key, at, now }: Call, id: string): Proposal | undefined {
  const proposal = world.proposals.get(id);
  if (proposal === undefined || proposal.used || proposal.account !== key.account) return undefined;
  if (proposal.workspace !== at.slug) return undefined;
  return now < proposal.issued + world.settings.lifetimeMinutes * 60_000 ? proposal : undefined;
}

export async function dispatch(call: Call, proposal: Proposal): Promise<Answer> {
  const { world } = call;
  const cost = proposal.count * world.settings.price;
  if (world.credits[proposal.account] < cost)
    return refusal('credits_insufficient', 'The account has too few credits.');
  proposal.used = true;
  world.credits[proposal.account] -= cost;
  world.serial += 1;
  world.workspaces.get(proposal.workspace)?.items.unshift({
    kind: 'photo',
    id: `made-${digits(`image ${world.serial}`, 12)}`,
    roll: 'a-roll',
    title: proposal.brief,
    pinned: false,
    source_board_name: proposal.board,
  });
  return success({
    status: 'dispatched',
    confirmation_id: null,
    request_summary: null,
    ...shown(proposal),
    run_id: `run-${digits(`run ${world.serial}`, 16)}`,
    ...about(call),
  });
}
