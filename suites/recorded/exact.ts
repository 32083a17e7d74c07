import { isRole } from '../../fixtures/roles.ts';
import type { CredentialKind, Exchange, KeyName, Sender } from '../history/exchange.ts';
import { isRecord } from '../json.ts';
import type { Recorded } from './recorded.ts';

/** Data that the kit adds to HAR, in the member `_tck` of an entry. */
export interface Exact {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly clockMoved?: number;
  readonly sender: Sender;
}

export function exactOf({ sentAt, receivedAt, clockMoved, sender }: Exchange, startedAt: number): Exact {
  const moments = { sentAt: startedAt + sentAt, receivedAt: startedAt + receivedAt };
  return { ...moments, ...(clockMoved === 0 ? {} : { clockMoved }), sender };
}

/** Reads the member `_tck`; undefined if the kit did not write the file. */
export function readExact(
  value: unknown,
): Pick<Recorded, 'sentAt' | 'receivedAt' | 'clockMoved' | 'sender'> | undefined {
  if (!isRecord(value)) return undefined;
  const { sentAt, receivedAt, clockMoved, sender } = value;
  if (typeof sentAt !== 'number' || typeof receivedAt !== 'number' || receivedAt < sentAt) return undefined;
  return {
    sentAt,
    receivedAt,
    ...(typeof clockMoved === 'number' ? { clockMoved } : {}),
    ...(isSender(sender) ? { sender } : {}),
  };
}

const kinds: readonly CredentialKind[] = [
  'key',
  'absent',
  'unknown',
  'longer',
  'shorter',
  'other-case',
  'other-scheme',
  'other',
];

function isSender(value: unknown): value is Sender {
  if (!isRecord(value) || typeof value.label !== 'string') return false;
  const isKnown = kinds.some((kind) => kind === value.kind);
  return isKnown && (value.role === null ? value.kind !== 'key' : isKeyName(value.role));
}

function isKeyName(value: unknown): value is KeyName {
  return typeof value === 'string' && (isRole(value) || /^key \d+$/.test(value));
}
