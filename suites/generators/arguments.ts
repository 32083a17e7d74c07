import { plainTools, type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Args, Asked } from '../flows/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { placesOf } from './places.ts';
import type { Random } from './random.ts';
import { argumentsOf, type Field } from './schema.ts';
import { sending, sendingAll } from './sending.ts';
import { badValue } from './values.ts';

interface Base {
  readonly tool: ToolName;
  readonly args: Args;
  readonly as: Role;
}

/** A fit request of a tool; undefined where none was accepted, or may be sent. */
function baseOf(scope: Scope, tool: ToolName): Base | undefined {
  const { known, random, allows } = scope;
  if (tool === 'credits.balance') return undefined;
  if (tool === 'content.create_request') {
    return known.contentRequest && allows('writes') ? changing(scope, tool, known.contentRequest) : undefined;
  }
  if (tool === 'images.generate') {
    return known.proposal && allows('proposals') ? changing(scope, tool, known.proposal) : undefined;
  }
  const { as, args } = random.pick(placesOf(scope).filter((place) => place.as !== 'throttled'));
  if (tool === 'library.get') return { tool, args: { ...args, kind: 'clip', id: random.letters(8) }, as };
  return { tool, args: { ...args, ...tools[tool].usual }, as };
}

/** What was accepted, mostly by primary and where it was, otherwise by another key in a place of its own. */
function changing(scope: Scope, tool: ToolName, accepted: Args): Base {
  const { random } = scope;
  const isImage = tool === 'images.generate';
  const places = placesOf(scope).filter(({ as, board }) => as !== 'throttled' && (board !== undefined || !isImage));
  if (random.oneIn(2) || places.length === 0) return { tool, args: accepted, as: 'primary' };
  const { as, args, board } = random.pick(places);
  return { tool, args: { ...accepted, workspace: undefined, ...args, ...(isImage ? { board } : {}) }, as };
}

/** What the specification does not rule on: a confirmation id of another type. */
const ruled = ({ name }: Field) => name !== 'confirmation_id';

/** One field broken: left out, or with a value that its schema does not admit. */
function broken(random: Random, field: Field, args: Args): Args {
  const good = String(args[field.name] ?? '');
  const value = field.required && random.oneIn(4) ? undefined : badValue(random, field, good);
  return { ...args, [field.name]: value };
}

function breaking(scope: Scope, howMany: number): { base: Base; bad: Asked } | undefined {
  const { random } = scope;
  const base = baseOf(scope, random.pick(toolNames));
  if (base === undefined) return undefined;
  const { fields, closed } = argumentsOf(base.tool);
  const chosen = random.some(fields.filter(ruled), howMany);
  let args = chosen.reduce((sofar, field) => broken(random, field, sofar), base.args);
  if (closed && chosen.length > 0 && random.oneIn(5))
    args = { ...(howMany === 1 ? base.args : args), ...unknown(random) };
  return { base, bad: { tool: base.tool, args, as: base.as } };
}

/** A property that no tool has. */
function unknown(random: Random): Args {
  const name = random.pick([
    random.letters(7),
    `_${random.letters(3)}`,
    '__proto__',
    'toString',
    'confirmation_id',
    '',
  ]);
  // A literal with the name __proto__ would set the prototype instead.
  return Object.fromEntries([[name, random.pick(['x', 5, null, true, { at: { hour: 9 } }, []])]]);
}

/** Slugs of no workspace. */
const madeUpSlugs = (random: Random) => [`tck-${random.letters(9)}`, random.letters(1), `tck ${random.letters(3)}`];

/** Slugs that a workspace may be mistaken for. */
const slugsLike = (slug: string) => [`${slug}x`, `${slug} `, ` ${slug}`, `${slug}/`, [...slug].slice(0, -1).join('')];

const isReading = ({ tool }: Base) => tools[tool].reads;

/** Keys of the account of primary that listen when a request names a workspace. */
const ofAccount: readonly Role[] = ['primary', 'defaulted', 'ambiguous', 'sole'];

/** What is refused creates nothing. Whatever is created nevertheless, the run counts and limits. */
const refused = (move: Move): Move => ({ ...move, creates: 0 });

/** Arguments that break the schema of a tool, and workspaces that are out of reach. */
export const argumentMoves: readonly Kind[] = [
  {
    weight: 8,
    make: (scope) => {
      const it = breaking(scope, scope.random.oneIn(4) ? 2 : 1);
      if (it === undefined) return undefined;
      return isReading(it.base)
        ? sendingAll('break the arguments', [it.base, it.bad])
        : refused(sending('break the arguments', it.bad, scope.random.pick([1, 1, 1, 2])));
    },
  },
  {
    // What else a JSON object may hold, beside what a tool that reads takes.
    weight: 2,
    make: (scope) => {
      const { random } = scope;
      const base = baseOf(scope, random.pick(plainTools));
      return base && sending('add a property', { ...base, args: { ...base.args, ...unknown(random) } });
    },
  },
  {
    weight: 3,
    make: (scope) => {
      const { random, known } = scope;
      const base = baseOf(scope, random.pick(toolNames.filter((tool) => tool !== 'library.get')));
      if (base === undefined) return undefined;
      const workspace = random.pick(madeUpSlugs(random));
      if ([known.workspace, known.otherWorkspace, known.otherAccountWorkspace].includes(workspace)) return undefined;
      const away = { ...base, args: { ...base.args, workspace }, invented: ['workspace'] };
      return isReading(base)
        ? sendingAll('name a workspace that does not exist', [base, away, base])
        : refused(sending('name a workspace that does not exist', away));
    },
  },
  {
    weight: 2,
    make: (scope) => {
      const { known, random } = scope;
      const base = baseOf(scope, random.pick(toolNames.filter((tool) => tool !== 'library.get')));
      const theirs = known.otherAccountWorkspace;
      if (base === undefined || !ofAccount.includes(base.as) || theirs === undefined) return undefined;
      if (theirs === known.workspace || theirs === known.otherWorkspace) return undefined;
      return refused(
        sending("name another account's workspace", { ...base, args: { ...base.args, workspace: theirs } }),
      );
    },
  },
  {
    weight: 1,
    make: ({ random, known }) => {
      if (known.workspace === undefined) return undefined;
      const workspace = random.pick(slugsLike(known.workspace).filter((slug) => slug.trim() !== ''));
      if ([known.otherWorkspace, known.otherAccountWorkspace].includes(workspace)) return undefined;
      const tool = random.pick(plainTools);
      return sending('name a workspace of a similar name', { tool, args: { workspace } });
    },
  },
];
