import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';

/** Codes that the specification does not define. Clients must not rely on them. */
const ownCodes = {
  noSuchPath: 'tenant_api.no_such_path',
  methodNotAllowed: 'tenant_api.method_not_allowed',
  bodyTooLarge: 'tenant_api.body_too_large',
  workspaceUnreachable: 'workspace_unreachable',
  itemNotFound: 'item_not_found',
  insufficientCredits: 'insufficient_credits',
};

/** All error codes of the stub. */
export const codes = { ...refusalCodes, ...boundaryCodes, ...ownCodes };

export type CodeName = keyof typeof codes;
