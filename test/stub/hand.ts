import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { Role } from '../../fixtures/roles.ts';
import { createStub, type Stub } from '../../stub/index.ts';

/** Creates a client for tests that send each request explicitly. */
export function atHand(stub: Stub = createStub()) {
  const send = async (
    tool: string,
    args: unknown,
    how: { role?: Role; headers?: object; path?: string; method?: string } = {},
  ) => {
    const { role = 'primary', headers = {}, path = '', method = 'POST' } = how;
    const answer = await stub
      .fetch(`${stub.baseUrl}/api/v1/tools/${tool}${path}`, {
        method,
        headers: { authorization: `Bearer ${stub.keys[role]}`, 'content-type': 'application/json', ...headers },
        ...(args === undefined ? {} : { body: typeof args === 'string' ? args : JSON.stringify(args) }),
      })
      .catch(() => undefined);
    return answer?.json();
  };
  const request = { board: stub.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
  return {
    stub,
    send,
    request,
    propose: async (more: object = {}) =>
      (await send('images.generate', { ...request, ...more })).confirmation_id as string,
    confirm: (id: unknown, more: object = {}) => send('images.generate', { ...request, ...more, confirmation_id: id }),
    /** Returns the status of a rule, and the event numbers of each finding. */
    verdict(id: ClientRuleId) {
      const rule = stub.judgement().requirements.find((judged) => judged.id === id);
      const events = rule?.findings.map(({ exchanges }) => exchanges) ?? [];
      return events.length === 0 ? rule?.status : [rule?.status, ...events];
    },
  };
}

export type Hand = ReturnType<typeof atHand>;
