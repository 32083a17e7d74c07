import type { Case } from './case.ts';
import { confirmationCases } from './confirmations.ts';
import { requestCases } from './requests.ts';
import { waitingCases } from './waiting.ts';

export const clientCases: readonly Case[] = [...requestCases, ...confirmationCases, ...waitingCases];
