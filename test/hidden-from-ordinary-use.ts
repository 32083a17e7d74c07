import type { DefectId } from './mutations/defects/index.ts';

/**
 * Defects of the stub that ordinary use does not show, grouped by the reason. All other defects appear in the recording
 * of `ordinaryUse` and fail a requirement that they break. A test compares both.
 */
export const hiddenFromOrdinaryUse: Readonly<Record<string, readonly DefectId[]>> = {
  'near misses of keys, and other schemes: only who made them up knows what they are': [
    'unknown-key-is-guest',
    'unknown-key-as-400',
    'any-scheme-will-do',
    'bare-key-on-content-status',
    'last-letter-not-compared',
    'key-compared-without-case',
    'realm-of-tool-in-401',
    'unknown-key-is-told',
    'other-scheme-is-told',
  ],
  'a body that clients do not send by mistake, or leave out': [
    'form-bodies-read',
    'body-wanted-by-credits-balance',
    'content-type-wanted',
    'default-not-looked-up-without-body',
  ],
  'confirmation ids that were never issued: only who made one up knows that': [
    'confirmation-out-of-a-list',
    'confirmation-id-trimmed',
    'confirmation-id-cut-to-its-column',
    'used-id-forgotten-early',
    'never-issued-id-with-own-code',
    'other-workspace-is-told',
    'other-account-with-own-code',
    'other-account-is-told',
    'expired-id-is-told',
    'expired-id-told-by-a-full-stop',
  ],
  'headers, query parameters or arguments that would confirm: no client sends them by mistake': [
    'x-confirm-confirms',
    'prefer-header-confirms',
    'confirm-in-query-confirms',
    'dry-run-false-in-query-confirms',
    'confirm-argument-confirms',
    'auto-approve-argument-confirms',
  ],
  'a workspace, a board or an item that certainly does not exist: only who made it up knows that': [
    'format-in-any-case',
    'format-trimmed',
    'unknown-item-as-null',
  ],
  'a tool name that no client sends by mistake, or that certainly is in no text by chance': [
    'prototype-member-is-a-tool',
    'suggestion-in-header-of-404',
    'unknown-tool-named-in-header',
  ],
  'a balance that nobody else moves, read again and again': [
    'balance-of-the-key',
    'balance-cached-by-key',
    'proposal-reserves-credits',
    'proposal-costs-from-two',
  ],
  'a limit that is exhausted on purpose, with several keys or all tools': [
    'cap-per-tool',
    'cap-of-balance-only',
    'cap-per-account',
  ],
  'a value that no client sends by mistake': [
    'byte-order-mark',
    'quotation-marks-in-titles-refused',
    'apostrophes-in-briefs-malformed',
    'false-taken-for-no-workspace',
    'zero-taken-for-no-query',
    'hits-null-where-none-match',
    'question-in-the-spelling-kept',
    'format-out-of-a-list',
    'day-read-generously',
    'query-normalised',
  ],
  'a situation that use of the service seldom brings about': [
    'argument-of-create-sticks',
    'choices-by-name',
    'choices-of-everybody',
    'images-in-foreign-workspace',
    'workspace-wanted-by-images',
  ],
};
