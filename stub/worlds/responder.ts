import { parsed } from '../../suites/json.ts';
import { type Aim, deliveryOf, type Fault, responseOf, rewritten } from '../faults/fault.ts';
import type { FaultQueue, QueuedFault, Struck } from '../faults/queue.ts';
import type { DeliveryState } from '../journal/event.ts';
import type { JournalKeeper, Seen } from '../journal/journal.ts';
import type { Call } from '../server/behavior.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import type { After, Pipeline } from '../server/pipeline.ts';
import type { KeyState } from '../server/state/state.ts';
import { secretOf } from '../server/steps/authenticate.ts';

export interface ResponderOptions {
  readonly pipeline: Pipeline;
  /** Looks up the holder of a key, valid or not. */
  readonly keyOf: (secret: string) => Pick<KeyState, 'role' | 'account'> | undefined;
  /** Null to disable the journal. */
  readonly journal: JournalKeeper | null;
  readonly faults: FaultQueue;
  /** Path prefix of tools. */
  readonly prefix: string;
}

/** Handles requests, applies matching faults, and records each exchange before the response is sent. */
export function createResponder(options: ResponderOptions): Handle {
  const { pipeline, keyOf, journal, faults, prefix } = options;
  /** Records an exchange before its response is sent. The transport reports whether the client left earlier. */
  const record = (call: Call, sent: StubResponse, delivery: DeliveryState, fault: QueuedFault | null): StubResponse => {
    const key = call.key ?? keyOf(secretOf(call.request) ?? '');
    const seq = journal?.record(seenOf(call, key, sent, delivery, fault)) ?? 0;
    if (fault !== null) faults.settle(fault, seq);
    return journal === null ? sent : { ...sent, abandoned: () => journal.abandon(seq) };
  };
  const recordWhole: After = (call, response) =>
    record(call, response, response.delivery?.cutAtBytes === undefined ? 'whole' : 'cut', null);

  const withFault = (request: StubRequest, { fault, latencyMs }: Struck): StubResponse => {
    const delivery = deliveryOf(fault, latencyMs);
    const after: After = (call, response) => {
      const sent = fault.drop === 'before' ? response : rewritten(response, fault);
      const delivered = delivery === undefined ? sent : { ...sent, delivery: { ...response.delivery, ...delivery } };
      return record(call, delivered, stateOf(fault), fault);
    };
    return pipeline(request, after, fault.drop === 'before' ? nothing : responseOf(fault));
  };

  return (request) => {
    const struck = faults.take(aimOf(request, prefix, keyOf));
    return struck === undefined ? pipeline(request, recordWhole) : withFault(request, struck);
  };
}

/** Placeholder for a response that is never sent. It is counted with status 0. */
const nothing = () => ({ status: 0, headers: {}, body: {} });

function stateOf({ drop, cutAtBytes }: Fault): DeliveryState {
  if (drop !== undefined) return `dropped-${drop}-effect`;
  return cutAtBytes === undefined ? 'whole' : 'cut';
}

function seenOf(
  { request, toolName }: Call,
  key: ReturnType<ResponderOptions['keyOf']>,
  sent: StubResponse,
  delivery: DeliveryState,
  fault: QueuedFault | null,
): Seen {
  const [role, account] = key === undefined ? [null, null] : [key.role, key.account];
  const answer = delivery === 'dropped-before-effect' ? null : sent;
  return { request, role, account, toolName, answer, delivery, fault: fault?.fault ?? null };
}

function aimOf(request: StubRequest, prefix: string, keyOf: ResponderOptions['keyOf']): Aim {
  const { method, path } = request;
  const end = path.indexOf('?');
  const called = method === 'POST' && path.startsWith(prefix);
  return {
    tool: called ? path.slice(prefix.length, end === -1 ? undefined : end) : '',
    role: keyOf(secretOf(request) ?? '')?.role,
    args: () => parsed(Buffer.from(request.body ?? []).toString('utf8')),
  };
}
