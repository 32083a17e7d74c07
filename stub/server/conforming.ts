import { limits } from '../../fixtures/contract/limits.ts';
import { namesOf } from '../../fixtures/records.ts';
import { roles } from '../../fixtures/roles.ts';
import { prefixedId } from '../seeded/random.ts';
import { type Behavior, codes } from './behavior.ts';
import { rungs, steps } from './steps.ts';
import { boundedImagesArguments } from './tools/images-generate.ts';
import { tools } from './tools/index.ts';

/** The conforming behavior. It uses one plausible choice wherever the specification leaves room. */
export const conforming: Behavior = {
  basePath: '',
  roles,
  writeId: prefixedId,
  order: namesOf(steps),
  steps,
  tools,
  argumentSchemas: { 'images.generate': boundedImagesArguments },
  argumentsRefusedBy: 'tool',
  rungs,
  codes,
  rate: {
    windowSeconds: 60,
    bucket: (call) => call.key?.secret ?? '',
    limit: (key) => key.rateLimit,
  },
  confirmations: {
    lifetimeSeconds: limits.confirmation.about * 60,
    accepts: (held, { state, behavior, account, place }) =>
      held.account === account.id &&
      held.workspace === place.workspace.content.slug &&
      state.clock.now() - held.issuedAt < behavior.confirmations.lifetimeSeconds * 1000,
    consume: (store, held) => {
      store.delete(held.id);
    },
  },
  images: { creditsEach: 4, shape: '1:1' },
  batchLimit: 100,
  firstWeekday: 1,
  finish: (response) => response,
  write: (body) => JSON.stringify(body),
};
