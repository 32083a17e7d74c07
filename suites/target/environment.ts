import { type Role, roleEnv } from '../../fixtures/roles.ts';

/** What a program is told of a deployment that it may call. */
export interface Deployment {
  readonly baseUrl: string;
  readonly keys: readonly (readonly [role: Role, key: string])[];
  /** The one that it works in. */
  readonly workspace: { readonly slug: string; readonly board?: string | undefined } | undefined;
  readonly shape: string | undefined;
}

/** The environment in which a program finds a deployment. */
export function environmentFor({ baseUrl, keys, workspace, shape }: Deployment): Record<string, string> {
  return {
    TCK_BASE_URL: baseUrl,
    ...Object.fromEntries(keys.map(([role, key]) => [roleEnv(role), key])),
    ...(workspace === undefined ? {} : { TCK_WORKSPACE: workspace.slug }),
    ...(workspace?.board === undefined ? {} : { TCK_BOARD: workspace.board }),
    ...(shape === undefined ? {} : { TCK_SHAPE: shape }),
  };
}
