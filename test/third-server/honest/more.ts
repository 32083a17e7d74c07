import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundary } from '../answers.ts';
import { all, declines, onSuccess, pause } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call, Fields, World } from '../model.ts';
import { around, type Steps, step } from '../steps.ts';
import { thirdTarget } from '../target.ts';
import { digits } from '../world.ts';
import { idsOfForm } from './images.ts';

const proposes = ({ tool, args }: Call): boolean => tool === 'images.generate' && args.confirmation_id === undefined;
const creates = ({ tool }: Call): boolean => tool === 'content.create_request';
const textOf = (c: Call): string => `${c.args.title ?? ''}${c.args.brief ?? ''}`;

/** Declines repetitions of a request. */
function onceOnly(code: string, applies: (call: Call) => boolean, of: (call: Call) => string) {
  const told = new Set<string>();
  return (steps: Steps): void =>
    around(steps, 'run', (next) => async (c) => {
      if (!applies(c)) return next(c);
      const declined = told.has(of(c));
      told.add(of(c));
      return declined ? declineWith(code) : next(c);
    });
}

const declineWith = (code: string) => ({
  status: 200,
  headers: { [responseHeaders.toolError]: 'false' },
  body: { ok: false, code, message: 'This is not possible here.' },
});

/** Moves a key and its workspaces to another account. */
function moveTo(role: string, account: string): (world: World) => void {
  return (world) => {
    const key = world.keys.get(role);
    const other = [...world.workspaces.values()].filter((one) => one.account === account).map(({ slug }) => slug);
    if (key !== undefined) Object.assign(key, { account, reach: other });
  };
}

/** Renames slugs and boards everywhere. */
function renamed(slug: (name: string) => string, board: (id: string) => string): (world: World) => void {
  return (world) => {
    for (const [name, one] of [...world.workspaces]) {
      world.workspaces.delete(name);
      world.workspaces.set(slug(name), { ...one, slug: slug(name), boards: one.boards.map(board) });
    }
    for (const key of world.keys.values()) {
      key.reach = key.reach.map(slug);
      if (key.pin !== undefined) key.pin = slug(key.pin);
      if (key.fallback !== undefined) key.fallback = slug(key.fallback);
    }
  };
}

const oddSlug = (name: string): string => `${name} & Söhne/№ 1 100%`;
const oddBoard = (id: string): string => `board:${id}?x=1&y="2"`;

let turn = 0;
let serial = 0;

/** Further behavior that the specification leaves open, with one more deployment of each kind. */
export const moreDeployments: Deployments = {
  'title-told-once': {
    steps: onceOnly(
      'duplicate_title',
      (c) => creates(c) && c.args.title !== undefined,
      (c) => `${c.at.slug} ${textOf(c)}`,
    ),
  },
  'one-piece-of-a-format-a-day': {
    steps: onceOnly('day_taken', creates, (c) => `${c.at.slug} ${c.args.day} ${c.args.format}`),
  },
  'words-in-latin': { steps: declines('language', (c) => /[^\x20-\x7e]/.test(`${textOf(c)}${c.args.query ?? ''}`)) },
  'charged-later': {
    steps: step('dispatch', (next) => async (c, proposal) => {
      const before = c.world.credits.get(proposal.account) ?? 0;
      const answer = await next(c, proposal);
      const cost = before - (c.world.credits.get(proposal.account) ?? 0);
      c.world.credits.set(proposal.account, (c.world.credits.get(proposal.account) ?? 0) + cost);
      setTimeout(() => {
        c.world.credits.set(proposal.account, (c.world.credits.get(proposal.account) ?? 0) - cost);
      }, 150).unref();
      return answer;
    }),
  },
  'credits-given-back': {
    steps: step('dispatch', (next) => async (c, proposal) => {
      const before = c.world.credits.get(proposal.account) ?? 0;
      const answer = await next(c, proposal);
      const cost = before - (c.world.credits.get(proposal.account) ?? 0);
      setTimeout(() => {
        c.world.credits.set(proposal.account, (c.world.credits.get(proposal.account) ?? 0) + cost);
      }, 60).unref();
      return answer;
    }),
  },
  debts: {
    world: (world) => void world.credits.set('harbour', -12.5),
    steps: step('dispatch', (next) => async (c, proposal) => {
      const owed = c.world.credits.get(proposal.account) ?? 0;
      c.world.credits.set(proposal.account, 1000);
      const answer = await next(c, proposal);
      const cost = 1000 - (c.world.credits.get(proposal.account) ?? 0);
      c.world.credits.set(proposal.account, owed - cost);
      return answer;
    }),
  },
  'ids-count-up': {
    settings: { confirmationId: (serial) => String(1000 + serial) },
    steps: all(
      idsOfForm(/^\d{4}$/),
      onSuccess('content.create_request', (body) => {
        body.piece_id = String(serial++);
      }),
    ),
  },
  'ids-with-signs': { settings: { confirmationId: (serial) => `c/ö "${digits(`s ${serial}`, 10)}" ✓=${serial}` } },
  'odd-slugs-and-boards': {
    world: renamed(oddSlug, oddBoard),
    target: (server) => {
      const place = (slug: string) => ({
        slug: oddSlug(slug),
        board: server.world.workspaces.get(oddSlug(slug))?.boards[0] ?? '',
      });
      const { keys } = thirdTarget(server);
      const { otherAccount } = keys;
      const barn = { workspace: oddSlug('barn'), board: place('barn').board };
      return {
        workspaces: [place('dock'), place('pier')],
        ...(otherAccount === undefined ? {} : { keys: { ...keys, otherAccount: { ...otherAccount, ...barn } } }),
      };
    },
  },
  'sole-of-another-account': { world: moveTo('sole', 'meadow') },
  'pinned-of-another-account': {
    world: (world) => {
      for (const slug of ['east', 'west']) {
        world.workspaces.set(slug, { slug, account: 'third', boards: [`b-${slug}`], items: [], pieces: [] });
      }
      const key = world.keys.get('pinned');
      if (key !== undefined) Object.assign(key, { account: 'third', reach: ['east', 'west'], pin: 'east' });
      world.credits.set('third', 5);
    },
  },
  'pinned-ignores-the-argument': {
    steps: step(
      'resolve',
      (next) => (c) =>
        c.key.pin === undefined || c.args.workspace === '' ? next(c) : { slug: c.key.pin, source: 'key-pin' },
    ),
  },
  'one-key-for-two-roles': {
    target: (server) => {
      const { keys } = thirdTarget(server);
      const { primary, defaulted } = keys;
      return primary === undefined || defaulted === undefined
        ? {}
        : { keys: { ...keys, primary: { ...primary, key: defaulted.key } } };
    },
  },
  'thirty-workspaces': {
    world: (world) => {
      for (let number = 1; number <= 28; number += 1) {
        const slug = `ws-${number}`;
        world.workspaces.set(slug, { slug, account: 'harbour', boards: [`brd-x${number}`], items: [], pieces: [] });
        for (const role of ['ambiguous', 'primary', 'pinned', 'defaulted', 'throttled']) {
          world.keys.get(role)?.reach.push(slug);
        }
      }
    },
  },
  'length-sometimes': {
    write(response, { status, headers, body }) {
      turn += 1;
      const text = JSON.stringify(body);
      const own = turn % 3 === 0 ? { 'content-length': String(Buffer.byteLength(text)) } : {};
      response.writeHead(status, {
        'content-type': 'application/json',
        ...headers,
        ...own,
        ...(turn % 7 === 0 ? { connection: 'close' } : {}),
      });
      response.write(text.slice(0, 1));
      response.end(text.slice(1));
    },
  },
  'names-of-headers-in-capitals': {
    write(response, { status, headers, body }) {
      const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
      response.writeHead(status, { 'CONTENT-TYPE': 'application/json;charset=utf-8', ...loud });
      response.end(JSON.stringify(body));
    },
  },
  'numbers-with-fractions': {
    write(response, { status, headers, body }) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body).replace(/"(count|total|balance)":(-?\d+)(?=[,}])/g, '"$1":$2.0e0'));
    },
  },
  'much-in-answers': {
    steps: step('finish', (next) => async (c, answer) => {
      const done = await next(c, answer);
      return answer.status === 200 ? { ...done, body: { ...(done.body as Fields), trail: 'x'.repeat(20_000) } } : done;
    }),
  },
  'gateway-refuses-large-bodies': {
    steps: step(
      'parse',
      (next) => (c) => (c.raw.length > 100_000 ? boundary(400, boundaryCodes.malformedBody, 'Send less.') : next(c)),
    ),
  },
  'only-json-bodies': {
    steps: step('parse', (next) => (c) => {
      const type = c.headers['content-type'] ?? 'application/json';
      const other = c.raw.length > 0 && !/^application\/json\s*(;|$)/i.test(type);
      return other ? boundary(400, boundaryCodes.malformedBody, 'Send application/json.') : next(c);
    }),
  },
  'scheme-in-one-case': {
    steps: step(
      'credential',
      (next) => (c) => (/^Bearer \S+$/.test(c.headers.authorization ?? '') ? next(c) : undefined),
    ),
  },
  'slow-images': {
    steps: all(
      step('propose', (next) => async (c) => {
        await pause(250);
        return next(c);
      }),
      step('dispatch', (next) => async (c, proposal) => {
        const answer = await next(c, proposal);
        await pause(500);
        return answer;
      }),
    ),
  },
  'one-confirmation-at-a-time': {
    steps: (s) => {
      const busy = new Set<unknown>();
      around(s, 'run', (next) => async (c) => {
        const id = c.args.confirmation_id;
        if (c.tool !== 'images.generate' || id === undefined) return next(c);
        if (busy.has(id)) {
          const limited = boundary(429, boundaryCodes.rateLimited, 'One at a time.', { retry_after_seconds: 1 });
          return { ...limited, headers: { [responseHeaders.retryAfter]: '1' } };
        }
        busy.add(id);
        await pause(10);
        const answer = await next(c);
        busy.delete(id);
        return answer;
      });
    },
  },
  'counts-by-shape': {
    steps: declines('too_many_of_shape', (c) => proposes(c) && c.args.shape === '16:9' && Number(c.args.count) > 1),
  },
  'clock-ahead-by-a-year': {
    steps: (s) =>
      declines('day_past', (c) => creates(c) && Date.parse(`${c.args.day}T00:00:00Z`) < c.now + 365 * 86_400_000)(s),
  },
  'schedule-of-five-days': {
    steps: all(
      onSuccess('schedule.read', (body) => {
        body.days = (body.days as string[]).slice(0, 5);
        body.meta_line = '';
      }),
      step('run', (next) => async (c) => {
        const answer = await next(c);
        const { working_in: at } = answer.body as Fields;
        return typeof at === 'object' && at !== null
          ? { ...answer, body: { ...(answer.body as Fields), working_in: { ...(at as Fields), label: '', note: '' } } }
          : answer;
      }),
    ),
  },
  'relevance-of-all-kinds': {
    steps: all(
      onSuccess('knowledge.search', (body) => {
        body.hits = [-3.5, 12, 1e-9, 0].map((relevance) => ({ source: '', excerpt: '', relevance }));
      }),
      onSuccess('connections.status', (body) => {
        Object.assign(body, { connected: [], needs_attention: [], available: ['quill', 7] });
      }),
    ),
  },
  'limit-of-searches': {
    steps: (s) => {
      let times: number[] = [];
      around(s, 'wait', (next) => (c) => {
        if (c.tool !== 'library.search' && c.tool !== 'knowledge.search') return next(c);
        const now = Date.now();
        times = times.filter((time) => time > now - 2000);
        if (times.length >= 40) return Math.max(1, Math.ceil(((times[0] ?? now) + 2000 - now) / 1000));
        times.push(now);
        return next(c);
      });
    },
  },
  'limit-before-credential-of-address': {
    steps: (s) => {
      let times: number[] = [];
      around(s, 'handle', (next) => async (c) => {
        const now = Date.now();
        times = times.filter((time) => time > now - 1000);
        if (times.length >= 300) {
          const limited = boundary(429, boundaryCodes.rateLimited, 'Too many.', { retry_after_seconds: 1 });
          return { ...limited, headers: { [responseHeaders.retryAfter]: '1' } };
        }
        times.push(now);
        return next(c);
      });
    },
  },
};
