import { limits } from '../../fixtures/contract/limits.ts';
import { roles } from '../../fixtures/roles.ts';
import { prefixedId } from '../world/seeded.ts';
import type { Behavior } from './behavior.ts';
import { codes } from './codes.ts';
import { authenticate } from './steps/authenticate.ts';
import { checkArguments } from './steps/check-arguments.ts';
import { findTool } from './steps/find-tool.ts';
import { rateLimit } from './steps/rate-limit.ts';
import { readBody } from './steps/read-body.ts';
import { resolveWorkspace, rungs } from './steps/resolve-workspace.ts';
import { route } from './steps/route.ts';
import { runTool } from './steps/run-tool.ts';
import { surface } from './steps/surface.ts';
import { boundedImagesArguments } from './tools/images-arguments.ts';
import { tools } from './tools/index.ts';

/** The conforming behavior. It uses one plausible choice wherever the specification leaves room. */
export const conforming: Behavior = {
  basePath: '',
  roles,
  writeId: prefixedId,
  order: [
    'route',
    'authenticate',
    'surface',
    'rateLimit',
    'findTool',
    'readBody',
    'checkArguments',
    'resolveWorkspace',
    'runTool',
  ],
  steps: {
    route,
    authenticate,
    surface,
    rateLimit,
    findTool,
    readBody,
    checkArguments,
    resolveWorkspace,
    runTool,
  },
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
    consume: (store, held) => store.consume(held.id),
  },
  images: { creditsEach: 4, shape: '1:1' },
  batchLimit: 100,
  firstWeekday: 1,
  finish: (response) => response,
  write: (body) => JSON.stringify(body),
};
