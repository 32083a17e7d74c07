import type { Role } from '../fixtures/roles.ts';
import type { Fault } from '../stub/faults/fault.ts';
import type { QueuedFault } from '../stub/faults/queue.ts';
import type { Journal, JournalEvent } from '../stub/journal/event.ts';
import type { Judgement } from '../stub/judge/judgement.ts';
import type { GivenProfile, Profile } from '../stub/profiles/profile.ts';
import type { Fetch } from '../stub/transports/fetch.ts';
import type { MintRequest } from '../stub/worlds/minting.ts';
import type { Switches } from '../stub/worlds/switches.ts';
import type { WorldView } from '../stub/worlds/view.ts';
import type { WorkspaceAndBoard } from '../stub/worlds/world.ts';

/** Connection to the control plane of a stub, as `tck stub --json` prints in `control`. */
export interface Connection {
  /** Ends with `/__control/`. */
  readonly url: string;
  readonly token: string;
  /** Default: the global fetch. */
  readonly fetch?: Fetch | undefined;
}

/** Configuration that a client needs to use a sandbox. */
export interface WorldAccess {
  readonly world: string;
  readonly seed: number;
  readonly baseUrl: string;
  readonly keys: Readonly<Partial<Record<Role, string>>>;
  readonly workspaces: readonly WorkspaceAndBoard[];
  readonly otherAccount: WorkspaceAndBoard;
  readonly shape: string;
}

/** `now` is ISO 8601. */
export interface ClockReading {
  readonly now: string;
  readonly frozen: boolean;
}

/**
 * Controls one sandbox over HTTP. Changes have taken effect when the promise resolves. Promises reject with an Error
 * that contains the problem.
 */
export interface ControlledWorld {
  readonly id: string;
  readonly access: () => Promise<WorldAccess>;
  readonly clock: {
    readonly read: () => Promise<ClockReading>;
    readonly advance: (seconds: number) => Promise<ClockReading>;
    /** Sets the clock to a time such as `2027-03-08T09:00:00Z`. */
    readonly set: (time: string) => Promise<ClockReading>;
    readonly freeze: () => Promise<ClockReading>;
    readonly resume: () => Promise<ClockReading>;
  };
  readonly faults: {
    /** Queues faults. Returns their numbers. */
    readonly add: (...faults: readonly Fault[]) => Promise<readonly number[]>;
    readonly unmet: () => Promise<readonly QueuedFault[]>;
    readonly met: () => Promise<readonly QueuedFault[]>;
    /** Rejects with an Error that lists the faults that no request has matched. */
    readonly verify: () => Promise<void>;
    readonly clear: () => Promise<void>;
  };
  readonly profile: {
    /** Null without a profile. */
    readonly read: () => Promise<Profile | null>;
    readonly set: (profile: GivenProfile) => Promise<void>;
    readonly clear: () => Promise<void>;
  };
  readonly person: {
    readonly approve: (confirmationId: string) => Promise<void>;
    readonly deny: (confirmationId: string) => Promise<void>;
    readonly picks: (workspace: string) => Promise<void>;
  };
  readonly switch: (role: Role, switches: Switches) => Promise<WorldView>;
  readonly expireProposals: () => Promise<void>;
  readonly state: () => Promise<WorldView>;
  readonly journal: (after?: number) => Promise<Journal>;
  /** Streams events after a sequence number. Ends when the signal aborts, the sandbox is dropped, or the stub stops. */
  readonly events: (options?: {
    readonly after?: number;
    readonly signal?: AbortSignal;
  }) => AsyncGenerator<JournalEvent>;
  readonly judgement: () => Promise<Judgement>;
  readonly reset: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export interface WorldSummary {
  readonly world: string;
  readonly seed: number;
  readonly calls: number;
}

export interface ControlClient {
  /** The main sandbox. */
  readonly main: ControlledWorld;
  readonly world: (id: string) => ControlledWorld;
  readonly mint: (options?: MintRequest) => Promise<ControlledWorld & WorldAccess>;
  readonly worlds: () => Promise<readonly WorldSummary[]>;
}

type Send = (method: string, path: string, body?: object, signal?: AbortSignal) => Promise<Response>;

/** Creates a client of the control plane. */
export function connect({ url, token, fetch: send = fetch }: Connection): ControlClient {
  const call: Send = async (method, path, body, signal) => {
    const response = await send(new URL(path, url).href, {
      method,
      headers: { 'x-control-token': token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new Error(`The stub refused ${method} ${path} with ${response.status}: ${text}`);
  };
  const world = (id: string) => worldAt(call, id, atHost(url));
  return {
    main: world('main'),
    world,
    async mint(options = {}) {
      const access = atHost(url)(await read<WorldAccess>(call('POST', 'worlds', options)));
      return { ...world(access.world), ...access };
    },
    worlds: async () => (await read<{ worlds: WorldSummary[] }>(call('GET', 'worlds'))).worlds,
  };
}

/** The cast trusts the stub, which has the same version as this client. */
async function read<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

/** Completes the base URL. In-process stubs have no host, so their base URLs are paths. */
const atHost =
  (url: string) =>
  (access: WorldAccess): WorldAccess =>
    URL.canParse(access.baseUrl) ? access : { ...access, baseUrl: new URL(url).origin + access.baseUrl };

function worldAt(call: Send, id: string, located: (access: WorldAccess) => WorldAccess): ControlledWorld {
  const at = (name: string): string => `worlds/${id}${name}`;
  const get = <T>(name: string): Promise<T> => read(call('GET', at(name)));
  const post = <T>(name: string, body: object = {}): Promise<T> => read(call('POST', at(name), body));
  const does = async (name: string, body?: object): Promise<void> => {
    await post(name, body);
  };
  const faults = () => get<Record<'unmet' | 'met', QueuedFault[]>>('/faults');
  return {
    id,
    access: async () => located(await get<WorldAccess>('')),
    clock: {
      read: () => get('/clock'),
      advance: (seconds) => post('/clock', { seconds }),
      set: (time) => post('/clock', { time }),
      freeze: () => post('/clock', { frozen: true }),
      resume: () => post('/clock', { frozen: false }),
    },
    faults: {
      add: async (...wanted) => (await post<{ faults: number[] }>('/faults', { faults: wanted })).faults,
      unmet: async () => (await faults()).unmet,
      met: async () => (await faults()).met,
      verify: () => does('/faults/verify'),
      clear: async () => {
        await call('DELETE', at('/faults'));
      },
    },
    profile: {
      read: async () => (await get<{ profile: Profile | null }>('/profile')).profile,
      set: (profile) => does('/profile', { profile }),
      clear: async () => {
        await call('DELETE', at('/profile'));
      },
    },
    person: {
      approve: (subject) => does('/person', { act: 'approve', subject }),
      deny: (subject) => does('/person', { act: 'deny', subject }),
      picks: (subject) => does('/person', { act: 'pick', subject }),
    },
    switch: (role, switches) => post('/switches', { role, ...switches }),
    expireProposals: () => does('/expire'),
    state: () => get('/state'),
    journal: (after = 0) => get(`/journal?after=${after}`),
    async *events({ after = 0, signal } = {}) {
      const response = await call('GET', at(`/events?after=${after}`), undefined, signal);
      if (response.body !== null) yield* readEvents(response.body);
    },
    judgement: () => get('/judgement'),
    reset: () => does('/reset'),
    drop: async () => {
      await call('DELETE', at(''));
    },
  };
}

/** Parses server-sent events with single-line JSON data, as the control plane writes them. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<JournalEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}
