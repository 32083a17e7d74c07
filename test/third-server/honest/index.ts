import { all, type Deployment } from '../deployment.ts';
import type { Difference } from '../server.ts';
import { contentDeployments } from './content.ts';
import { imageDeployments } from './images.ts';
import { laterDeployments } from './later.ts';
import { limitDeployments } from './limits.ts';
import { moreDeployments } from './more.ts';
import { reachDeployments } from './reach.ts';
import { transportDeployments } from './transport.ts';

/** All conforming deployments. */
export const deployments: readonly Deployment[] = [
  ...contentDeployments,
  ...imageDeployments,
  ...limitDeployments,
  ...reachDeployments,
  ...transportDeployments,
  ...moreDeployments,
  ...laterDeployments,
];

/** Combines the deployments with these IDs into one. */
export function combined(...ids: readonly string[]): Difference & Required<Pick<Deployment, 'target'>> {
  const parts = ids.map((id) => {
    const part = deployments.find((one) => one.id === id);
    if (part === undefined || part.write !== undefined) throw new Error(`${id} cannot be combined`);
    return part;
  });
  return {
    settings: Object.assign({}, ...parts.map(({ settings }) => settings)),
    world: (world) => parts.forEach((part) => void part.world?.(world)),
    steps: all(...parts.map(({ steps }) => steps ?? (() => undefined))),
    target: (server) => Object.assign({}, ...parts.map(({ target }) => target?.(server))),
  };
}
