import type { Deployment } from '../deployment.ts';
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
