import { roles } from '../../fixtures/roles.ts';
import type { Stub } from '../../stub/index.ts';
import { type How, sendTo } from './client.ts';

/**
 * Sends many kinds of requests to a stub and returns its responses as JSON, including their delivery. Continues
 * whatever the responses contain.
 */
export function transcript(stub: Stub): string[] {
  const lines: string[] = [stub.roles.join(), stub.basePath];
  const call = (tool: string, args?: object, how?: How): string => {
    const response = sendTo(stub, tool, args, how);
    lines.push(JSON.stringify(response));
    return response.body;
  };
  for (const role of roles) {
    for (const tool of ['schedule.read', 'content.status', 'connections.status', 'credits.balance', 'nothing']) {
      call(tool, {}, { role });
    }
  }
  const found = call('library.search', { query: '' });
  call('library.search');
  for (const id of [textOf(found, 'id'), 'nothing']) call('library.get', { kind: textOf(found, 'kind'), id });
  call('library.get', { kind: 5, id: 5 });
  call('knowledge.search', { query: 'é', odd: 1 });
  for (const tool of ['library.search', 'knowledge.search']) call(tool, { query: 'a'.repeat(50) });
  for (const workspace of ['nowhere', '', 5, ' north ']) call('schedule.read', { workspace });
  call('schedule.read', { workspace: 'north' }, { role: 'pinned' });
  call('library.get', {}, { role: 'ambiguous' });
  call('nothing', {}, { authorization: null });
  for (const raw of ['[1,2]', `[${Array(200).fill(0)}]`, ' ', '{', 'null']) call('credits.balance', undefined, { raw });
  call('credits.balance', undefined, { raw: '{', authorization: null });
  call('credits.balance', undefined, { raw: '{', role: 'withoutAccess' });
  const request = { format: 'posts', day: '2026-03-06', title: 'x' };
  const odd = [{ day: '2026-02-30' }, { day: '2026-02-03' }, { title: '𝒳'.repeat(150) }, { title: null }, { day: 5 }];
  const many = Array.from({ length: 19 }, () => ({}));
  for (const more of [...odd, { title: '  ' }, ...many]) call('content.create_request', { ...request, ...more });
  makeImages(stub, call);
  for (let calls = 0; calls < 40; calls++)
    call(calls % 2 === 0 ? 'credits.balance' : 'nothing', {}, { role: 'throttled' });
  return lines;
}

function makeImages(stub: Stub, call: (tool: string, args: object, how?: How) => string): void {
  const [north, south] = stub.workspaces;
  const images = { board: north?.board, brief: 'a cup', count: 1, shape: stub.shape };
  const propose = (more = {}) => textOf(call('images.generate', { ...images, ...more }), 'confirmation_id');
  for (const more of [{ count: 2 }, { shape: '1:1' }, { count: '2' }, { confirmation_id: '' }]) propose(more);
  for (const more of [{ board: south?.board }, { brief: 'a mug' }, {}]) {
    call('images.generate', { ...images, confirmation_id: propose(), ...more });
  }
  const used = propose();
  for (const _ of ['once', 'twice']) call('images.generate', { ...images, confirmation_id: used });
  call('images.generate', { ...images, confirmation_id: propose() }, { role: 'defaulted' });
  call('images.generate', { ...images, workspace: 'north', confirmation_id: propose() }, { role: 'defaulted' });
  for (const minutes of [25, 35]) {
    const confirmation_id = propose();
    stub.advance(minutes * 60);
    call('images.generate', { ...images, confirmation_id });
  }
}

/** Returns the first string member with this name, even if the response is not valid JSON. */
function textOf(text: string, name: string): string | undefined {
  return new RegExp(`"${name}": *"([^"]+)"`).exec(text)?.[1];
}
