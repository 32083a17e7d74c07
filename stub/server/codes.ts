import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';

/** Codes that the specification does not show; these are the stub's own, and clients should not rely on them. */
const ownCodes = {
  noSuchPath: 'tenant_api.no_such_path',
  methodNotAllowed: 'tenant_api.method_not_allowed',
  bodyTooLarge: 'tenant_api.body_too_large',
  workspaceUnreachable: 'workspace_unreachable',
  itemNotFound: 'item_not_found',
  insufficientCredits: 'insufficient_credits',
};

/** Every code of the stub, by what it says. */
export const codes = { ...refusalCodes, ...boundaryCodes, ...ownCodes };

export type CodeName = keyof typeof codes;
