import type { Case } from './case.ts';
import { confirmationCases } from './confirmations.ts';
import { requestCases } from './requests.ts';
import { waitingCases } from './waiting.ts';

/** What clients do, one rule at a time. */
export const clientCases: readonly Case[] = [...requestCases, ...confirmationCases, ...waitingCases];
