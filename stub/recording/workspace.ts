import { member } from '../../suites/json.ts';
import type { WorkspaceData } from '../world/data.ts';
import { resultOf, type ToolExchange } from './exchanges.ts';
import { RecordedLibrary } from './library.ts';
import { isName, type RequestedPiece, readPiece, type ScheduledPiece } from './pieces.ts';

type Connection = NonNullable<WorkspaceData['connections']>['connected'][number];
type Groups = NonNullable<WorkspaceData['connections']>;

/** Contents of a workspace as a recording shows them. The first response that shows a part decides. */
export class RecordedWorkspace {
  #label: string | undefined;
  readonly #boards = new Set<string>();
  readonly #library = new RecordedLibrary();
  readonly #knowledge = new Map<string, { source: string; excerpt: string }>();
  #connections: Groups | undefined;
  readonly #scheduled = new Map<string, ScheduledPiece>();
  readonly #requested = new Map<string, RequestedPiece>();
  #hasSchedule = false;

  /**
   * Learns from a successful response. Returns why a part of it is left out, if one is.
   * @param created IDs of pieces that the client created
   */
  learn(exchange: ToolExchange, created: ReadonlySet<string>): string | undefined {
    const result = resultOf(exchange);
    const label = member(result, 'working_in', 'label');
    if (isName(label)) this.#label ??= label;
    switch (exchange.tool) {
      case 'schedule.read':
      case 'content.status':
        return this.#learnPieces(exchange, created);
      case 'knowledge.search':
        return this.#learnHits(member(result, 'hits'));
      case 'connections.status':
        return this.#learnConnections(exchange);
      case 'images.generate': {
        const board = member(result, 'board_id') ?? exchange.args.board;
        if (isName(board)) this.#boards.add(board);
        return this.#library.learn(exchange);
      }
      default:
        return this.#library.learn(exchange);
    }
  }

  /** Data of the workspace. Parts that the recording does not show are absent. */
  data(slug: string): WorkspaceData {
    const [library, connections] = [this.#library.items(), this.#connections];
    const boards = [...this.#boards].map((id) => ({ id, name: this.#library.boardNames.get(id) ?? id }));
    return {
      ...nameOf(this.#label, slug),
      ...(boards.length === 0 ? {} : { boards }),
      ...(library === undefined ? {} : { library }),
      ...(this.#knowledge.size === 0 ? {} : { knowledge: [...this.#knowledge.values()] }),
      ...(connections === undefined ? {} : { connections }),
      ...(this.#hasSchedule ? { schedule: [...this.#scheduled.values()] } : {}),
      ...(this.#requested.size === 0 ? {} : { requested: [...this.#requested.values()] }),
    };
  }

  #learnPieces(exchange: ToolExchange, created: ReadonlySet<string>): string | undefined {
    const pieces = member(resultOf(exchange), 'pieces');
    if (!Array.isArray(pieces)) return undefined;
    this.#hasSchedule = true;
    let problem: string | undefined;
    for (const piece of pieces.map(readPiece)) {
      if ('problem' in piece) problem ??= piece.problem;
      else if (!this.#scheduled.has(piece.id) && !this.#requested.has(piece.id) && !created.has(piece.id)) {
        if ('scheduled' in piece) this.#scheduled.set(piece.id, piece.scheduled);
        else this.#requested.set(piece.id, piece.requested);
      }
    }
    return problem;
  }

  #learnHits(hits: unknown): string | undefined {
    let problem: string | undefined;
    for (const hit of Array.isArray(hits) ? hits : []) {
      const [source, excerpt] = [member(hit, 'source'), member(hit, 'excerpt')];
      if (typeof source !== 'string' || typeof excerpt !== 'string' || source === '' || excerpt === '')
        problem = 'the recording shows hits without source and excerpt';
      else this.#knowledge.set(JSON.stringify([source, excerpt]), { source, excerpt });
    }
    return problem;
  }

  #learnConnections(exchange: ToolExchange): string | undefined {
    const groups = (['connected', 'needs_attention', 'available'] as const).map((name) => {
      const providers = member(resultOf(exchange), name);
      return (Array.isArray(providers) ? providers : []).map(readConnection);
    });
    const [connected = [], needs_attention = [], available = []] = groups.map((group) =>
      group.filter((connection) => connection !== undefined),
    );
    this.#connections ??= { connected, needs_attention, available };
    return groups.flat().includes(undefined) ? 'the recording shows connections without a provider' : undefined;
  }
}

/** Reads an element of a group of providers. The specification does not define its members. */
function readConnection(value: unknown): Connection | undefined {
  const provider = [value, member(value, 'provider'), member(value, 'name'), member(value, 'id')].find(isName);
  if (provider === undefined) return undefined;
  const [account, problem] = [member(value, 'account_name'), member(value, 'problem')];
  const account_name = typeof account === 'string' ? account : null;
  return { provider, account_name, problem: typeof problem === 'string' ? problem : null };
}

/** Returns the name, if the label has the form that the stub writes, or the label. */
function nameOf(label: string | undefined, slug: string): Pick<WorkspaceData, 'name' | 'label'> {
  if (label === undefined) return {};
  const end = ` (${slug})`;
  return label.endsWith(end) && label.length > end.length ? { name: label.slice(0, -end.length) } : { label };
}
