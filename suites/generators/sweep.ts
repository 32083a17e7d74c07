import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import {
  bindingLeniencies,
  bodyLeniencies,
  identifierLeniencies,
  negotiationLeniencies,
  textLeniencies,
  valueLeniencies,
} from '../../fixtures/leniencies/index.ts';
import type { ArgumentType } from '../../fixtures/leniencies/model.ts';
import { type Role, servedRoles } from '../../fixtures/roles.ts';
import { argumentsOf, type Field } from '../model/schema.ts';
import { normalizedSlug } from '../situations/slugs.ts';
import { isUsual } from '../topics/requests/resembling.ts';
import type { StoryRequest } from '../topics/steps.ts';
import { type Base, baseOf, mayCall } from './arguments.ts';
import type { Move, Scope } from './move.ts';
import { Random } from './random.ts';

/** One way in which a tool can show a leniency. */
interface Probe {
  readonly leniency: string;
  /** Argument with a changed value; absent if the whole request changes. */
  readonly argument?: string;
  /** Returns valid requests changed in a way that shows the leniency; empty if there are none. */
  readonly requests: (base: Base) => readonly StoryRequest[];
}

const typeOf = ({ type, pattern, values }: Field): ArgumentType =>
  type === 'integer' ? type : values ? 'enum' : pattern ? 'day' : 'text';

/** Returns whether the published type, pattern and enumeration admit a value. */
function isValid({ type, pattern, values }: Field, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === 'string' && (values?.includes(value) ?? pattern?.test(value) ?? true);
}

const withArgument = (base: Base, name: string, value: unknown): StoryRequest => ({
  ...base,
  args: { ...base.args, [name]: value },
});

/** Values that a stack converts, for each argument of the tool except `confirmation_id`, which has its own moves. */
function valueProbes(tool: ToolName): Probe[] {
  return argumentsOf(tool)
    .fields.filter(({ name }) => name !== 'confirmation_id')
    .flatMap((field) =>
      valueLeniencies
        .filter(({ type }) => type === typeOf(field))
        .map(({ id, values }) => ({
          leniency: id,
          argument: field.name,
          requests: (base: Base) =>
            values(String(base.args[field.name] ?? 'main'))
              .filter((value) => !isValid(field, value))
              .map((value) => withArgument(base, field.name, value)),
        })),
    );
}

/** Identifiers that a lenient lookup resolves, for arguments that name a workspace or a board. */
function identifierProbes(tool: ToolName, { deployment }: Pick<Scope, 'deployment'>): Probe[] {
  const names = argumentsOf(tool).fields.filter(({ name }) => name === 'workspace' || name === 'board');
  const { workspace, otherWorkspace, otherAccountWorkspace, board, otherBoard, otherAccountBoard } = deployment;
  const existing = [workspace, otherWorkspace, otherAccountWorkspace, board, otherBoard, otherAccountBoard];
  return names.flatMap(({ name }) =>
    identifierLeniencies.map(({ id, identifiers }) => ({
      leniency: id,
      argument: name,
      requests: (base: Base) => {
        const accepted = base.args[name];
        if (typeof accepted !== 'string') return [];
        const isUnknown = (other: string) => !isUsual(other) && normalizedSlug(other) !== normalizedSlug(accepted);
        return identifiers(accepted)
          .filter((other) => !existing.includes(other) && normalizedSlug(other) !== '')
          .map((other) => ({ ...withArgument(base, name, other), invented: isUnknown(other) ? [name] : [] }));
      },
    })),
  );
}

function probesOf(tool: ToolName, scope: Pick<Scope, 'deployment'>): Probe[] {
  const bodies = bodyLeniencies.map((leniency) => ({
    leniency: leniency.id,
    requests: ({ as }: Base) => leniency.bodies.map((body) => ({ tool, body, as })),
  }));
  // Content negotiation is not tried with content requests, because each valid content request creates something.
  const negotiations = negotiationLeniencies.map(({ id, headers, query }) => ({
    leniency: id,
    requests: (base: Base) =>
      headers.map((some) => ({ ...base, headers: some, ...(query === undefined ? {} : { query }) })),
  }));
  const bindings = bindingLeniencies.map((leniency) => ({
    leniency: leniency.id,
    requests: (base: Base) => leniency.bindings(base.args).map((args) => ({ ...base, args })),
  }));
  const texts = textLeniencies.map((leniency) => ({
    leniency: leniency.id,
    argument: 'query',
    requests: (base: Base) => leniency.texts.map((query) => withArgument(base, 'query', query)),
  }));
  return [
    ...bodies,
    ...(tool === 'content.create_request' ? bindings : negotiations),
    ...(tool === 'knowledge.search' ? texts : []),
    ...valueProbes(tool),
    ...identifierProbes(tool, scope),
  ];
}

/** Number of combinations of leniency, tool, argument and key in a run, and the number tried so far. */
export interface Coverage {
  readonly leniencies: number;
  readonly ofLeniencies: number;
  readonly combinations: number;
  readonly ofCombinations: number;
}

/** Maximum number of leniencies per history. */
const probesInHistory = 6;

/**
 * Tries every leniency with every tool, argument and served key. Each history tries some leniencies with one tool and
 * one key. All pairs of tool and key come up once before any pair comes up again. Leniencies with the fewest tries come
 * first.
 */
export class Sweep {
  readonly #scope: Omit<Scope, 'random' | 'proposals'>;
  readonly #seed: number;
  readonly #left: { readonly tool: ToolName; readonly as: Role; readonly probes: Probe[] }[];
  /** Number of tries per leniency. */
  readonly #tried = new Map<string, number>();
  readonly #all: Pick<Coverage, 'ofLeniencies' | 'ofCombinations'>;

  constructor(scope: Omit<Scope, 'random' | 'proposals'>, seed: number) {
    this.#scope = scope;
    this.#seed = seed;
    const random = new Random(seed, 'sweep');
    const roles = servedRoles.filter((role) => role !== 'throttled' && scope.roles.includes(role));
    const tools = toolNames.filter((tool) => mayCall(scope, tool));
    const pairs = tools.flatMap((tool) => roles.map((as) => ({ tool, as })));
    this.#left = random.some(pairs, pairs.length).map(({ tool, as }) => {
      const probes = probesOf(tool, scope);
      return { tool, as, probes: random.some(probes, probes.length) };
    });
    const probes = this.#left.flatMap(({ probes }) => probes);
    this.#all = {
      ofLeniencies: new Set(probes.map(({ leniency }) => leniency)).size,
      ofCombinations: probes.length,
    };
  }

  get coverage(): Coverage {
    const combinations = [...this.#tried.values()].reduce((sum, times) => sum + times, 0);
    return { leniencies: this.#tried.size, combinations, ...this.#all };
  }

  /** Returns the moves of the next history; undefined after the last one. */
  next(number: number): Move[] | undefined {
    const turn = this.#left.shift();
    if (turn === undefined) return undefined;
    const { tool, as, probes } = turn;
    const random = new Random(this.#seed, `sweep ${number}`);
    const base = baseOf({ ...this.#scope, random, proposals: [] }, tool, as);
    probes.sort((one, other) => this.#timesTried(one) - this.#timesTried(other));
    const chosen = probes.splice(0, probesInHistory);
    if (probes.length > 0) this.#left.push(turn);
    if (base === undefined) return [];
    const moves = chosen.flatMap(({ leniency, argument, requests }) => {
      const all = requests(base);
      if (all.length === 0) return [];
      this.#tried.set(leniency, (this.#tried.get(leniency) ?? 0) + 1);
      return [trying(`${leniency}${argument === undefined ? '' : ` as ${argument}`}`, random.pick(all))];
    });
    // A refusal proves something only with its twin, a valid request. Preflight has already created a content request.
    return tool === 'content.create_request' ? moves : [trying('a valid request', base), ...moves];
  }

  #timesTried({ leniency }: Probe): number {
    return this.#tried.get(leniency) ?? 0;
  }
}

const trying = (title: string, asked: StoryRequest): Move => ({
  title,
  requests: 1,
  play: ({ t }) => t.send(title, asked),
});
