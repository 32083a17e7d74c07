import { code } from './patches.ts';

// Refusals of the stub, by their codes.

export const invalid = code('invalid_arguments');
export const ambiguous = code('workspace_ambiguous');
export const unreachable = code('workspace_unreachable');
export const confirmationInvalid = code('confirmation_invalid');
export const boardNotFound = code('board_not_found');
export const itemNotFound = code('item_not_found');
