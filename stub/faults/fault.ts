import { isToolName, type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import { type Answer, boundaryError, rateLimited, refusal } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Delivery } from '../exchange.ts';
import { flag, type Member, oneOf, requireMembers, text, whole } from '../worlds/members.ts';

/** Something to go wrong with a call to come. What it says nothing about stays as it would be. */
export interface Fault {
  /** Any tool unless named. */
  readonly tool?: ToolName | undefined;
  /** Any key of the world unless named. */
  readonly role?: Role | undefined;
  /** For `images.generate`: calls that carry a confirmation id, or those that do not. */
  readonly confirming?: boolean | undefined;
  /** Answers with this status, and the call does nothing. 200 is a refusal by the tool, anything else a boundary error. */
  readonly status?: number | undefined;
  /** Code of that answer; alone it makes a refusal. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** Whole seconds, from 1; alone it makes a 429. */
  readonly retryAfterSeconds?: number | undefined;
  /** Real time before the answer goes out. */
  readonly latencyMs?: number | undefined;
  /** Ends the connection without an answer: before the call has done anything, or when all is done. */
  readonly drop?: 'before' | 'after' | undefined;
  /** Ends the connection after so many bytes of the body. */
  readonly cutAtBytes?: number | undefined;
}

const members: Readonly<Record<keyof Fault, Member>> = {
  tool: oneOf(...toolNames),
  role: oneOf(...roles),
  confirming: flag,
  status: whole(200, 599),
  code: text,
  message: text,
  retryAfterSeconds: whole(1, 86_400),
  latencyMs: whole(0, 600_000),
  drop: oneOf('before', 'after'),
  cutAtBytes: whole(0, 1_000_000),
};

/** Throws a RangeError for a fault that cannot be, or that would do nothing that was meant. */
export function requireFault(fault: Fault): void {
  requireMembers('A fault', fault, members);
}

/** The answer that a fault puts in the place of the stub's; undefined where the stub answers. */
export function answerOf(fault: Fault): ((call: Call) => Answer) | undefined {
  const { status, code, message, retryAfterSeconds } = fault;
  if (status === undefined && code === undefined && retryAfterSeconds === undefined) return undefined;
  return ({ rules }) => {
    if (status === 429 || (status === undefined && retryAfterSeconds !== undefined)) {
      return rateLimited(code ?? rules.codes.rateLimited, retryAfterSeconds ?? 1);
    }
    if (status === undefined || status === 200) {
      return refusal('tool', { code: code ?? 'declined', message: message ?? 'Declined, as this stub was asked to.' });
    }
    return boundaryError(status, code ?? `stub.status_${status}`, message ?? 'This stub was asked to answer so.');
  };
}

export function deliveryOf({ latencyMs, drop, cutAtBytes }: Fault): Delivery | undefined {
  const cut = drop === undefined ? cutAtBytes : -1;
  if (latencyMs === undefined && cut === undefined) return undefined;
  return {
    ...(latencyMs === undefined ? {} : { delayMs: latencyMs }),
    ...(cut === undefined ? {} : { cutAtBytes: cut }),
  };
}

/** What a fault looks at in a call. */
export interface Aim {
  /** Of the nine, called as tools are; anything else meets no fault. */
  readonly tool: string;
  readonly role: Role | undefined;
  /** Whether the body carries a confirmation id; asked only where it matters. */
  readonly confirming: () => boolean;
}

export function meets(fault: Fault, aim: Aim): boolean {
  return (
    isToolName(aim.tool) &&
    (fault.tool ?? aim.tool) === aim.tool &&
    aim.role !== undefined &&
    (fault.role ?? aim.role) === aim.role &&
    (fault.confirming === undefined || (aim.tool === 'images.generate' && fault.confirming === aim.confirming()))
  );
}
