import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { isRecord, type JsonRecord } from '../../suites/json.ts';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock } from '../../test/stub/standing-clock.ts';
import { createControlled } from '../controlled.ts';
import type { ExchangeEvent } from '../journal/event.ts';
import type { Judgement } from '../judge/judgement.ts';
import { deviationOf } from '../variants/index.ts';
import type { WorldView } from '../worlds/view.ts';
import type { createResponses } from './responses.ts';

const headers = { 'x-control-token': 'a token for tests' };
const stub = createControlled({
  clock: standingClock,
  control: { token: headers['x-control-token'] },
  deviate: deviationOf,
});

function send(method: string, path: string, body?: object) {
  const sent = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const response = stub.handle({ method, path: `/__control${path}`, headers, body: sent });
  return {
    status: response.status,
    body: response.headers['content-type'] === 'application/json' ? JSON.parse(response.body) : response.body,
  };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { schema: JsonRecord; example?: object } };
  };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>;
}

const description = send('GET', '/openapi.json').body;
const operations = Object.entries<Record<string, Operation>>(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, 'control');
const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent);
const pointer = (...parts: string[]) => `control#/${parts.map(escaped).join('/')}`;

function problemsOf(where: string, value: unknown): unknown {
  const validate = ajv.getSchema(where);
  if (validate === undefined) throw new Error(`no schema at ${where}`);
  return validate(value) ? null : validate.errors;
}

/** Creates a sandbox that contains every kind of data that the control plane shows. Returns its ID. */
function livedIn(): string {
  const { world, keys } = send('POST', '/worlds', { variants: ['jitter'], now: '2027-03-08T09:00:00Z' }).body;
  const call = clientOf({ ...stub, keys, basePath: '' });
  send('POST', `/worlds/${world}/faults`, { faults: [{ status: 502, body: '<p>', headers: { via: 'x' }, times: 2 }] });
  for (let sent = 0; sent < 2; sent++) {
    stub.handle({
      method: 'POST',
      path: '/api/v1/tools/credits.balance',
      headers: { authorization: `Bearer ${keys.primary}` },
      body: null,
    });
  }
  call('content.create_request', { format: 'posts', day: '2027-03-09' });
  const board = send('GET', `/worlds/${world}`).body.workspaces[0].board;
  const request = { board, brief: 'a cup', count: 1, shape: '1:1' };
  const { confirmation_id } = call('images.generate', request).body;
  call('images.generate', { ...request, confirmation_id });
  call('images.generate', { ...request, workspace: 7 });
  send('POST', `/worlds/${world}/person`, {
    act: 'approve',
    subject: call('images.generate', request).body.confirmation_id,
  });
  return world;
}

test.each(operations)('$method $path responds as its description says', ({ path, method, operation }) => {
  const sandbox = livedIn();
  const { snapshot } = send('POST', `/worlds/${sandbox}/snapshots`).body;
  const content = operation.requestBody?.content['application/json'];
  const waiting = send('GET', `/worlds/${sandbox}/state`).body.proposals[0].confirmation_id;
  const example: unknown = JSON.parse(
    JSON.stringify(content?.example ?? null)
      .replace('<confirmation_id>', waiting)
      .replace('"s1"', `"${snapshot}"`),
  );
  if (content !== undefined) {
    expect(
      problemsOf(
        pointer('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'),
        example,
      ),
    ).toBeNull();
  }
  const response = send(method, path.replace('{sandbox}', sandbox), isRecord(example) ? example : undefined);
  const where = pointer('paths', path, method.toLowerCase(), 'responses', String(response.status), 'content');
  const type = typeof response.body === 'string' ? 'text~1event-stream' : 'application~1json';
  expect(response.status).toBeLessThan(300);
  expect(problemsOf(`${where}/${type}/schema`, response.body)).toBeNull();
});

test('what is refused is described, and so is every path that the guide names', async () => {
  const faults = { faults: [{ tool: 'schedule.read', status: 503 }] };
  expect(send('POST', '/worlds/main/faults', faults).status).toBe(201);
  const refused = [
    send('POST', '/worlds/main/faults/verify'),
    send('POST', '/worlds', { now: 'today' }),
    send('GET', '/worlds/w99'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 400, 404]);
  for (const { body } of refused) expect(problemsOf('control#/components/schemas/problem', body)).toBeNull();
  const guide = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const named = [...guide.matchAll(/\{control\}(worlds[\w/]*)/g)].map(
    ([, path = '']) => `/${path.replace(/w1/, '{sandbox}')}`,
  );
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) expect(Object.keys(description.paths)).toContain(path);
});

test('a page may read the description without the token, and it tells nothing of the sandboxes', () => {
  const { status, body } = stub.handle({ method: 'GET', path: '/__control/openapi.json', headers: {}, body: null });
  expect(status).toBe(200);
  for (const key of Object.values(stub.keys)) expect(body).not.toContain(key);
});

type Responses = ReturnType<typeof createResponses>;
type Described<Name extends keyof Responses> = z.infer<Responses[Name]>;

test('a member that is added to what is sent has to be described: the types say so', () => {
  expectTypeOf<keyof Described<'state'>>().toEqualTypeOf<keyof WorldView>();
  type Rule = Described<'judgement'>['requirements'][number];
  expectTypeOf<keyof Rule>().toEqualTypeOf<keyof Judgement['requirements'][number]>();
  type Exchange = Extract<Described<'journal'>['events'][number], { kind: 'exchange' }>;
  expectTypeOf<keyof Exchange>().toEqualTypeOf<keyof ExchangeEvent>();
});
