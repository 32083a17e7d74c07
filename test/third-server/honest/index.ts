import { all } from '../changes.ts';
import type { Deployment, Deployments } from '../deployment.ts';
import type { Difference } from '../server.ts';
import { contentDeployments } from './content.ts';
import { imageDeployments } from './images.ts';
import { limitDeployments } from './limits.ts';
import { reachDeployments } from './reach.ts';
import { transportDeployments } from './transport.ts';

/** All conforming deployments. */
export const deployments: Deployments = {
  ...contentDeployments,
  ...imageDeployments,
  ...limitDeployments,
  ...reachDeployments,
  ...transportDeployments,
};

/** Combines the deployments with these IDs into one. At most one of them writes responses in its own form. */
export function combined(...ids: readonly string[]): Difference & Required<Pick<Deployment, 'target' | 'steps'>> {
  const parts = ids.map((id) => {
    const part = deployments[id];
    if (part === undefined) throw new Error(`there is no deployment ${id}`);
    return part;
  });
  const [write, other] = parts.flatMap((part) => part.write ?? []);
  if (other !== undefined) throw new Error(`two of ${ids.join()} write responses`);
  return {
    settings: Object.assign({}, ...parts.map(({ settings }) => settings)),
    world: (world) => parts.forEach((part) => void part.world?.(world)),
    steps: all(...parts.map(({ steps }) => steps ?? (() => undefined))),
    ...(write === undefined ? {} : { write }),
    target: (server) => Object.assign({}, ...parts.map(({ target }) => target?.(server))),
  };
}
