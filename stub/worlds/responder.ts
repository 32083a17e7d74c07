import { parsed } from '../../suites/json.ts';
import { deliveryOf, responseOf, rewritten } from '../faults/fault.ts';
import type { FaultQueue, Struck } from '../faults/queue.ts';
import type { JournalKeeper } from '../journal/journal.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import type { Answered, Instead } from '../server/pipeline.ts';
import type { KeyState } from '../server/state/state.ts';
import { secretOf } from '../server/steps.ts';

interface ResponderOptions {
  readonly answer: (request: StubRequest, instead?: Instead) => Answered;
  /** Looks up the holder of a key, valid or not. */
  readonly keyOf: (secret: string) => Pick<KeyState, 'role' | 'account'> | undefined;
  readonly journal: JournalKeeper;
  readonly faults: FaultQueue;
  /** Path prefix of tools. */
  readonly prefix: string;
}

/** Handles requests, applies matching faults, and records each exchange before the response is sent. */
export function createResponder({ answer, keyOf, journal, faults, prefix }: ResponderOptions): Handle {
  return (request) => {
    const holder = keyOf(secretOf(request) ?? '');
    const struck = faults.take({
      tool: toolIn(request, prefix),
      role: holder?.role,
      args: () => parsed(Buffer.from(request.body ?? []).toString('utf8')),
    });
    const fault = struck?.fault;
    const instead = fault?.drop === 'before' ? nothing : fault && responseOf(fault);
    const { call, response } = answer(request, instead);
    const sent = struck === undefined ? response : withFault(response, struck);
    const { role, account } = call.key ?? holder ?? { role: null, account: null };
    const cut = sent.delivery?.cutAtBytes === undefined ? 'whole' : 'cut';
    const seq = journal.record({
      request,
      role,
      account,
      toolName: call.toolName,
      answer: fault?.drop === 'before' ? null : sent,
      delivery: fault?.drop === undefined ? cut : `dropped-${fault.drop}-effect`,
      fault: fault?.fault ?? null,
    });
    if (fault !== undefined) faults.settle(fault, seq);
    return { ...sent, abandoned: () => journal.abandon(seq) };
  };
}

/** Placeholder for a response that is never sent. It is counted with status 0. */
const nothing = () => ({ status: 0, headers: {}, body: {} });

function withFault(response: StubResponse, { fault, latencyMs }: Struck): StubResponse {
  const sent = fault.drop === 'before' ? response : rewritten(response, fault);
  const delivery = deliveryOf(fault, latencyMs);
  return delivery === undefined ? sent : { ...sent, delivery: { ...response.delivery, ...delivery } };
}

function toolIn({ method, path }: StubRequest, prefix: string): string {
  const [pathname = ''] = path.split('?');
  return method === 'POST' && pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
}
