import { isWorkspaceScoped, plainTools, type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import { argumentsOf, type Field } from '../model/schema.ts';
import type { Args, StoryRequest } from '../topics/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import type { Random } from './random.ts';
import { sending, sendingAll } from './sending.ts';
import { badValue } from './values.ts';

export interface Base {
  readonly tool: ToolName;
  readonly args: Args;
  readonly as: Role;
}

/**
 * Returns a valid request for a tool: the accepted arguments, or the usual ones. Undefined if the server accepted no
 * request, or if the run may not call the tool.
 * @param as key that sends the request; default: any key except `throttled`
 */
export function baseOf(scope: Scope, tool: ToolName, as?: Role): Base | undefined {
  const { deployment, random } = scope;
  if (!mayCall(scope, tool)) return undefined;
  if (!isWorkspaceScoped(tool)) return { tool, args: tools[tool].usual ?? {}, as: as ?? 'primary' };
  const isImage = tool === 'images.generate';
  const places = placesOf(scope)
    .filter((place) => (as === undefined ? place.as !== 'throttled' : place.as === as && resolves(place)))
    .filter(({ board }) => board !== undefined || !isImage);
  const accepted = isImage
    ? deployment.proposal
    : tool === 'content.create_request'
      ? deployment.contentRequest
      : undefined;
  // Send accepted arguments mostly as `primary`, to the place that accepted them.
  if (accepted !== undefined && as === undefined && random.oneIn(2)) return { tool, args: accepted, as: 'primary' };
  if (places.length === 0) return accepted && { tool, args: accepted, as: 'primary' };
  const place = random.pick(places);
  if (accepted !== undefined) {
    const { workspace: _, ...others } = accepted;
    return { tool, args: { ...others, ...place.args, ...(isImage ? { board: place.board } : {}) }, as: place.as };
  }
  const own = tool === 'library.get' ? { kind: 'clip', id: random.letters(8) } : tools[tool].usual;
  return { tool, args: { ...place.args, ...own }, as: place.as };
}

/** Keys that need a workspace in every request, or may need it. */
const mustName: readonly Role[] = ['primary', 'ambiguous'];

const resolves = ({ as, args }: Place) => args.workspace !== undefined || !mustName.includes(as);

/** Returns whether the run may have the side effect of a tool. */
export function mayHaveEffectOf({ allows }: Pick<Scope, 'allows'>, tool: ToolName): boolean {
  const { effect } = tools[tool];
  return effect === undefined || allows(effect);
}

/** Returns whether the run may call a tool. Tools with side effects need permission and an accepted request. */
export function mayCall(scope: Omit<Scope, 'random' | 'proposals'>, tool: ToolName): boolean {
  const { deployment } = scope;
  if (!mayHaveEffectOf(scope, tool)) return false;
  if (tool === 'content.create_request') return deployment.contentRequest !== undefined;
  return tool !== 'images.generate' || deployment.proposal !== undefined;
}

const withArguments = toolNames.filter((tool) => argumentsOf(tool).fields.length > 0);

/** Excludes `confirmation_id`, because the specification does not define confirmation IDs of another type. */
const ruled = ({ name }: Field) => name !== 'confirmation_id';

/** Breaks one field: omits it, or sets a value that its schema does not admit. */
function broken(random: Random, field: Field, args: Args): Args {
  const good = String(args[field.name] ?? '');
  const value = field.required && random.oneIn(4) ? undefined : badValue(random, field, good);
  return { ...args, [field.name]: value };
}

function breaking(scope: Scope, howMany: number): { base: Base; bad: StoryRequest } | undefined {
  const { random } = scope;
  const base = baseOf(scope, random.pick(withArguments));
  if (base === undefined) return undefined;
  const { fields, closed } = argumentsOf(base.tool);
  const chosen = random.some(fields.filter(ruled), howMany);
  let args = chosen.reduce((sofar, field) => broken(random, field, sofar), base.args);
  if (closed && chosen.length > 0 && random.oneIn(5))
    args = { ...(howMany === 1 ? base.args : args), ...unknown(random) };
  return { base, bad: { tool: base.tool, args, as: base.as } };
}

/** Returns a property that no tool has. */
function unknown(random: Random): Args {
  const name = random.pick([
    random.letters(7),
    `_${random.letters(3)}`,
    '__proto__',
    'toString',
    'confirmation_id',
    '',
  ]);
  // An object literal with the name `__proto__` would set the prototype instead.
  return Object.fromEntries([[name, random.pick(['x', 5, null, true, { at: { hour: 9 } }, []])]]);
}

/** Slugs without a workspace. */
const madeUpSlugs = (random: Random) => [`tck-${random.letters(9)}`, random.letters(1), `tck ${random.letters(3)}`];

const isReading = ({ tool }: Base) => tools[tool].effect === undefined;

/** Keys in the account of `primary` that use the workspace named in a request. */
const ofAccount: readonly Role[] = ['primary', 'defaulted', 'ambiguous', 'sole'];

/** A refused request creates nothing. If the server creates something anyway, the run still counts and limits it. */
const refused = (move: Move): Move => ({ ...move, creates: 0 });

/** Arguments that violate the schema of a tool, and inaccessible workspaces. */
export const argumentMoves: readonly Kind[] = [
  {
    weight: 8,
    make: (scope) => {
      const broken = breaking(scope, scope.random.oneIn(4) ? 2 : 1);
      if (broken === undefined) return undefined;
      return isReading(broken.base)
        ? sendingAll('break the arguments', [broken.base, broken.bad])
        : refused(sending('break the arguments', broken.bad, scope.random.pick([1, 1, 1, 2])));
    },
  },
  {
    // Additional properties of any JSON type, for tools that only read.
    weight: 2,
    make: (scope) => {
      const { random } = scope;
      const base = baseOf(scope, random.pick(plainTools.filter((tool) => withArguments.includes(tool))));
      return base && sending('add a property', { ...base, args: { ...base.args, ...unknown(random) } });
    },
  },
  {
    weight: 3,
    make: (scope) => {
      const { random, deployment } = scope;
      const base = baseOf(scope, random.pick(withArguments.filter((tool) => tool !== 'library.get')));
      if (base === undefined) return undefined;
      const workspace = random.pick(madeUpSlugs(random));
      if ([deployment.workspace, deployment.otherWorkspace, deployment.otherAccountWorkspace].includes(workspace))
        return undefined;
      const away = { ...base, args: { ...base.args, workspace }, invented: ['workspace'] };
      return isReading(base)
        ? sendingAll('request a workspace that does not exist', [base, away, base])
        : refused(sending('request a workspace that does not exist', away));
    },
  },
  {
    weight: 2,
    make: (scope) => {
      const { deployment, random } = scope;
      const base = baseOf(scope, random.pick(withArguments.filter((tool) => tool !== 'library.get')));
      const theirs = deployment.otherAccountWorkspace;
      if (base === undefined || !ofAccount.includes(base.as) || theirs === undefined) return undefined;
      if (theirs === deployment.workspace || theirs === deployment.otherWorkspace) return undefined;
      return refused(
        sending("request another account's workspace", { ...base, args: { ...base.args, workspace: theirs } }),
      );
    },
  },
];
