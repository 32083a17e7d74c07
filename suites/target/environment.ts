import { type Role, roleEnv } from '../../fixtures/roles.ts';
import { withoutUndefined } from '../without-undefined.ts';

/** Description of a deployment for a program that may call it. */
interface DescribedDeployment {
  readonly baseUrl: string;
  readonly keys: readonly (readonly [role: Role, key: string])[];
  /** Workspace that the program works in. */
  readonly workspace: { readonly slug: string; readonly board?: string | undefined } | undefined;
  readonly shape: string | undefined;
}

/** Returns the environment variables that describe a deployment to a program. */
export function environmentFor({ baseUrl, keys, workspace, shape }: DescribedDeployment): Record<string, string> {
  return {
    TCK_BASE_URL: baseUrl,
    ...Object.fromEntries(keys.map(([role, key]) => [roleEnv(role), key])),
    ...withoutUndefined({ TCK_WORKSPACE: workspace?.slug, TCK_BOARD: workspace?.board, TCK_SHAPE: shape }),
  };
}
