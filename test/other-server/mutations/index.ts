import type { Received } from '../answer.ts';
import type { Handler } from '../pipeline.ts';
import type { World } from '../world.ts';
import { capMutations } from './caps.ts';
import { confirmationMutations } from './confirmations.ts';
import { contentMutations } from './content.ts';
import { credentialMutations } from './credentials.ts';
import { dispatchMutations } from './dispatches.ts';
import { envelopeMutations } from './envelopes.ts';
import { callOf, type Mutation } from './mutation.ts';
import { proposalMutations } from './proposals.ts';
import { readingMutations } from './reading.ts';
import { requestMutations } from './requests.ts';
import { workspaceMutations } from './workspaces.ts';

const catalogue = {
  ...envelopeMutations,
  ...credentialMutations,
  ...requestMutations,
  ...workspaceMutations,
  ...contentMutations,
  ...readingMutations,
  ...proposalMutations,
  ...confirmationMutations,
  ...dispatchMutations,
  ...capMutations,
} satisfies Record<string, Mutation>;

type MutationName = keyof typeof catalogue;

export const mutationOf = (name: MutationName): Mutation => catalogue[name];

export const isMutationName = (name: string): name is MutationName => Object.hasOwn(catalogue, name);

/** Name and description of each deviation. */
export const mutations: Record<string, string> = Object.fromEntries(
  Object.entries(catalogue).map(([name, { description }]) => [name, description]),
);

/** Returns the pipeline with one deviation. */
export const deviating = (world: World, mutation: Mutation, handler: Handler): Handler => {
  const step = mutation.install(world);
  return (received: Received) => step(callOf(world, received), handler);
};
