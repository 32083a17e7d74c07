import { plainTools } from '../../fixtures/contract/tools.ts';
import { normalizedSlug } from '../situations/slugs.ts';
import { confirming, proposalOf, proposing } from '../topics/requests/proposals.ts';
import { allResembling, isUsual } from '../topics/requests/resembling.ts';
import type { Args } from '../topics/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { sendingAll } from './sending.ts';

/** Returns up to four identifiers that resemble `id`, from different leniencies. */
const someResembling = ({ random }: Scope, id: string, except: readonly string[] = []) =>
  random.some(allResembling(id, except), 4).map((others) => random.pick(others));

/** Returns a place in which `primary` can propose on a known board. */
function knownPlace({ deployment, random }: Scope): { args: Args; board: string } | undefined {
  const { board, otherWorkspace, otherBoard } = deployment;
  const there = otherWorkspace === undefined ? undefined : { args: { workspace: otherWorkspace }, board: otherBoard };
  const place = random.pick([{ args: {}, board }, there ?? { args: {}, board }]);
  return place.board === undefined ? undefined : { args: place.args, board: place.board };
}

const mayPropose = ({ deployment, allows }: Scope) => deployment.proposal !== undefined && allows('proposals');

/** Proposes, then presents IDs that resemble the issued one. They confirm nothing. */
function presentingSimilar(choose: (id: string) => readonly string[]): Move {
  const title = 'present IDs that resemble the issued ID';
  return {
    title,
    requests: 5,
    play: async ({ t }) => {
      const asked = proposing(t);
      const proposal = proposalOf(t, asked.args ?? {}, await t.send('propose', asked));
      for (const confirmation_id of choose(proposal.id)) await t.send(title, confirming(proposal, { confirmation_id }));
    },
  };
}

export const identifierMoves: readonly Kind[] = [
  {
    weight: 2,
    make: (scope) => {
      const { deployment, random } = scope;
      const { workspace } = deployment;
      if (workspace === undefined) return undefined;
      const others = someResembling(scope, workspace).filter(
        (slug) =>
          ![deployment.otherWorkspace, deployment.otherAccountWorkspace].includes(slug) && normalizedSlug(slug) !== '',
      );
      // Leave white space to observations, because a server may trim it.
      const isUnknown = (slug: string) => !isUsual(slug) && normalizedSlug(slug) !== normalizedSlug(workspace);
      return sendingAll(
        'name workspaces of similar slugs',
        others.map((slug) => ({
          tool: random.pick(plainTools),
          args: { workspace: slug },
          invented: isUnknown(slug) ? ['workspace'] : [],
        })),
      );
    },
  },
  {
    weight: 1,
    make: (scope) => {
      const place = knownPlace(scope);
      if (!mayPropose(scope) || place === undefined) return undefined;
      const { deployment } = scope;
      const taken = [deployment.board, deployment.otherBoard, deployment.otherAccountBoard];
      const args = { ...deployment.proposal, ...place.args, board: place.board };
      const others = someResembling(scope, place.board).filter((board) => !taken.includes(board));
      return sendingAll('propose on boards with similar IDs', [
        { tool: 'images.generate', args },
        ...others.map((board) => ({ tool: 'images.generate', args: { ...args, board }, invented: ['board'] })),
      ]);
    },
  },
  {
    weight: 1,
    make: (scope) => {
      if (!mayPropose(scope)) return undefined;
      const { random } = scope;
      const [turn, step] = [random.below(100), random.between(1, 5)];
      return presentingSimilar((id) => {
        const all = allResembling(id, ['identifier.shorter']);
        return [0, 1, 2, 3]
          .map((index) => all[(turn + index * step) % all.length])
          .flatMap((others = []) => others.slice(turn % others.length, (turn % others.length) + 1));
      });
    },
  },
];
