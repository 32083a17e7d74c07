import { limits } from '../../fixtures/contract/limits.ts';
import { mostRunners } from '../session/allowance.ts';
import { goOn, holdBack } from '../topics/image-proposals/claimed-confirmations.ts';
import { words } from '../topics/image-proposals/near-miss-ids.ts';
import { allResembling, type ValidRequest } from '../topics/requests/mutations.ts';
import {
  asOtherAccount,
  confirming,
  elsewhere,
  neverIssued,
  nowhere,
  otherCase,
  type Proposal,
} from '../topics/requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../topics/steps.ts';
import { image, isOneIn, pairsOf, pick, type Scene, type Step, textOf, validRequest } from './walk-steps.ts';

const { surelyAlive, surelyDead } = limits.confirmation;

/** Changes to an accepted proposal: its arguments, flags that might skip the confirmation, and words for the ID. */
function changesOf(scene: Scene, { args }: ValidRequest): Partial<StoryRequest> {
  const flags = Array.from({ length: 6 }, () => pick(scene, [...goOn, ...holdBack]));
  const said = Object.fromEntries(flags.map((name) => [name, goOn.includes(name)]));
  const entries = Object.entries(said);
  return pick<Partial<StoryRequest>>(scene, [
    ...[{}, {}, {}, {}],
    { args: { ...args, count: Number(args.count) + 1 } },
    { args: { ...args, shape: pick(scene, scene.t.deployment.shapes.slice(0, 4)) } },
    { args: { ...args, brief: `${args.brief} ${textOf(scene)}`.trim() } },
    { args: { ...args, ...said } },
    { headers: Object.fromEntries(entries.map(([name, value]) => [`x-${name.replaceAll('_', '-')}`, String(value)])) },
    { query: entries.map(([name, value]) => `${name}=${value}`).join('&') },
    {
      args: { ...args, confirmation_id: pick(scene, [...words, 'last', 'any', 'confirm']) },
      invented: ['confirmation_id'],
    },
  ]);
}

/** Proposes in one place, or in several at once. */
export function proposing(scene: Scene): Step | undefined {
  const places = Array.from({ length: pick(scene, [1, 1, 1, 4]) }, () => pick(scene, scene.places));
  const requests = places.flatMap((place) => {
    const base = validRequest(scene, place, image);
    return base === undefined ? [] : [{ ...base, ...changesOf(scene, base) }];
  });
  if (requests.length === 0) return undefined;
  const pairs = places.flatMap((place) => pairsOf(scene, place, image));
  return { does: 'propose', requests, atOnce: requests.length > 1, pairs };
}

/** A way to present an ID, and the most images that it may confirm. The request is undefined if it is not possible. */
type Way = readonly [change: string, images: number, asked: StoryRequest | undefined];

/** Returns ways to present the ID of a proposal. */
function waysToPresent(scene: Scene, proposal: Proposal): Way[] {
  const { t } = scene;
  const { args, id } = proposal;
  const [count, more] = [Number(args.count), 1 + scene.below(2)];
  const [other] = t.present(['defaulted', 'ambiguous', 'throttled'] as const);
  const { shapes, otherBoard, secondBoard } = t.deployment;
  const similar = allResembling(id, ['identifier.shorter']).flat();
  const change = (changed: Args) => confirming(proposal, changed);
  return [
    ...[1, 2, 3].map((): Way => ['as proposed', count, change({})]),
    ['with a larger count', count + more, change({ count: count + more })],
    ['with another shape', count, change({ shape: pick(scene, shapes.slice(0, 4)) })],
    ['with another brief', count + 1, change({ brief: `${args.brief}.`, count: count + scene.below(2) })],
    [
      'with another board',
      count,
      change({ board: pick(scene, [otherBoard, secondBoard, args.board].filter(Boolean)) }),
    ],
    ...['board', 'brief', 'count', 'shape'].map((name): Way => [`without ${name}`, 0, change({ [name]: undefined })]),
    ['in another workspace', 0, elsewhere(t, proposal)],
    ['as another account', 0, asOtherAccount(t, proposal)],
    ['in an unknown workspace', 0, nowhere(t, proposal)],
    ['with an ID never issued', 0, neverIssued(t, proposal)],
    ['with a similar ID', 0, change({ confirmation_id: pick(scene, [...similar, otherCase(`${id}x`)]) })],
    // The specification does not say whether another key of the account may confirm.
    ['as another key', count, other && { ...change({}), as: other }],
    ['without ID', 0, { tool: image, args }],
  ];
}

/** Presents the ID of an earlier proposal, once or several times at once. */
export function presenting(scene: Scene): Step | undefined {
  const { t, proposals, used } = scene;
  if (proposals.length === 0) return undefined;
  const { proposal, as } = pick(scene, proposals);
  const [change, images, asked] = pick(scene, waysToPresent(scene, proposal));
  if (asked === undefined || (images > 0 && !t.target.allow.includes('spending'))) return undefined;
  const minutes = t.minutesSince(proposal.exchange);
  const age = minutes >= surelyDead ? 'expired' : minutes >= surelyAlive / 2 ? 'old' : 'new';
  const state = used.has(proposal.id) ? `used ${age}` : age;
  const does = `confirm ${change}`;
  const pairs = [`${state} × ${as}`, `${state} × ${change}`, ...pairsOf(scene, { as, name: 'here' }, image, change)];
  const request = { as, ...asked };
  if (change !== 'as proposed' || !isOneIn(scene, 6)) return { does, requests: [request], images, pairs };
  const play = (steps: Steps) => steps.sendTogether(does, request, mostRunners);
  return {
    does,
    requests: Array.from({ length: mostRunners }, () => request),
    images: images * mostRunners,
    pairs,
    play,
  };
}
