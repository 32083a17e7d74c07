import { isToolName, toolNames, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { must, type Requirement, should } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { KitFinding } from '../../expectations/finding.ts';
import { promisedBy } from '../../expectations/promises.ts';
import { boundaryError } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { sameHeaders, sameText } from '../../expectations/same.ts';
import type { Completed } from '../../history/exchange.ts';
import { brief, shorten } from '../../json.ts';
import { reasonOf } from '../../situations/reasons.ts';
import { hasObjectOrNoBody, knowsHeaders } from '../../situations/scope.ts';
import type { Seen } from '../../situations/seen.ts';
import { unknownName } from '../requests/unknown-name.ts';
import { story } from '../story.ts';

/**
 * Returns a path segment that does not name a tool. Returns undefined for other paths, which the specification does not
 * cover.
 */
function nameOfNoTool(exchange: Completed): string | undefined {
  const { tool } = exchange.request;
  if (tool === null || !hasObjectOrNoBody(exchange) || exchange.sender.kind !== 'key') return undefined;
  let name: string;
  try {
    name = decodeURIComponent(tool);
  } catch {
    return undefined;
  }
  // A name of dots, or with one of these characters, changes the path.
  if (isToolName(name) || /^\.*$/.test(name) || /[/\\?#]/.test(name)) return undefined;
  return name;
}

/** Fewest letters that a near miss shares with a tool. */
const leastLetters = 6;

function nearlyATool(name: string): boolean {
  const letters = lettersOf(name);
  return toolNames
    .map(lettersOf)
    .some((tool) => letters.length >= leastLetters && (tool.startsWith(letters) || letters.startsWith(tool)));
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

const isPrototypeName = (name: string) => name in {};

const hint = 'Look up the tools by their exact names, without inherited members. Return the same 404 for all others.';

function is404(requirement: Requirement, of: (name: string) => boolean): Rule {
  return rule(requirement, {
    applies: (exchange) => {
      const name = nameOfNoTool(exchange);
      return name !== undefined && of(name);
    },
    // The specification does not define which error takes precedence for an invalid key or a closed API.
    twin: ({ sender }, seen) => ({
      succeeded: seen.successes.ofRole(sender.role),
      promisedBy: promisedBy('schedule.read'),
    }),
    expect: (exchange) => boundaryError(exchange, 404, undefined, hint),
  });
}

const opaque = (exchange: Completed) => exchange.response.status === 404 && nameOfNoTool(exchange) !== undefined;

/** Whether the name is a random one, which no text contains by coincidence. */
const madeUp = (exchange: Completed) => opaque(exchange) && exchange.invented.includes('tool');

const repeatsHint = 'Do not repeat the requested name in the 404.';

/** Returns the first 404 for another name by the same key. */
function reference(exchange: Completed, seen: Seen): Completed | undefined {
  const reason = reasonOf(exchange, seen);
  return (
    reason &&
    seen.byReason.firstOfAnyReason(
      reason.group,
      (other) => opaque(other) && other.request.tool !== exchange.request.tool,
    )
  );
}

function sameAsOthers(
  requirement: Requirement,
  compare: (one: Completed, other: Completed, seen: Seen) => KitFinding | undefined,
) {
  return rule(requirement, {
    applies: (exchange, seen) => opaque(exchange) && reference(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const one = reference(exchange, seen);
      return one && compare(one, exchange, seen);
    },
  });
}

const nearMisses = [
  'schedule.reads',
  'schedule.rea',
  'Schedule.Read',
  'schedule',
  'content.create-request',
  'content.createRequest',
];

/** Members that every object has in JavaScript, Python, PHP or Perl. */
const prototypeNames = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'],
  ...['__init__', '__class__', '__construct', 'can'],
];

/** Lengths above those of tool names, but within what servers must handle. */
const longNames = [128, 250];

/** Names with singular and plural swapped, and further names in the families of existing tools. */
const relatives = [
  'credit.balance',
  'connection.status',
  'schedules.read',
  'contents.status',
  'images.list',
  'content.get',
];

/** Tools of similar services, which a server may have retained or disabled. They do not belong to this API. */
const leftOver = [
  ...['images.edit', 'images.delete', 'content.delete', 'content.update', 'schedule.write', 'list'],
  ...['knowledge.add', 'connections.connect', 'credits.purchase', 'workspaces.list', 'boards.list', 'admin.keys'],
  ...['tools.list', 'rpc.discover', 'index', 'ping'],
];

/** Returns a URL-encoded name in full-width letters, which compatibility normalization converts to ASCII. */
const wide = (text: string) =>
  encodeURIComponent(text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)));

/**
 * Functions that return a URL-encoded variant of a tool name. A server finds the tool under this name only if it
 * wrongly normalizes names.
 */
export const families: readonly ((tool: string) => string)[] = [
  (tool) => `${tool}.`,
  (tool) => `${tool};v=2`,
  (tool) => `${tool}%20`,
  (tool) => `%20${tool}`,
  (tool) => `${tool}%00`,
  (tool) => tool.replace('.', '%252E'),
  (tool) => tool.replace('.', '_'),
  (tool) => tool.replace('.', '-'),
  (tool) => tool.replace('.', 'x'),
  (tool) => tool.toUpperCase(),
  (tool) => tool.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase()),
  (tool) => tool.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase()),
  (tool) => tool.replace(/\.(.)/, (_, letter: string) => `.${letter.toUpperCase()}`),
  (tool) => wide(tool),
  (tool) => `${tool}.json`,
  (tool) => `${tool}.v1`,
  (tool) => `${tool}@1.0.0`,
  (tool) => `${tool.split('.').reverse().join('.')}`,
  (tool) => `${tool}+`,
  (tool) => `%22${tool}%22`,
  (tool) => tool.replace('.', '%E2%80%8B.'),
  (tool) => tool.replace('.', '..'),
  (tool) => tool.replace('.', ','),
  (tool) => tool.replace('.', ':'),
  (tool) => tool.replace('.', ''),
  (tool) => tool.replace(/[aeiou]/, (letter) => `${letter}%CC%81`),
  (tool) => `tools.${tool}`,
  (tool) => `tools:${tool}`,
  (tool) => `v1.${tool}`,
  (tool) => `.${tool}`,
];

/** Names that do not resemble a tool: other scripts, other characters and short ones. */
const strange = ['0', '%D0%BA%D0%B0%D0%BB', '%E4%BA%88%E5%AE%9A', '*', 'null', '%F0%9F%A6%8A'];

export const unknownTools = story('unknown tools', {
  steps: async (t) => {
    // Leaves the rate limit of `primary` to the stories that need this key.
    const [as = 'primary'] = t.present<Role>(['ambiguous', 'defaulted']);
    await t.send('read', { tool: 'schedule.read', args: t.here(), as });
    const madeUp = [unknownName(t), ...longNames.map((length) => unknownName(t).padEnd(length, '.long'))];
    const turn = t.turn('names of tools');
    const resembling = families.map((resemble, index) =>
      resemble(toolsWithoutSideEffects[(turn + index) % toolsWithoutSideEffects.length] ?? 'schedule.read'),
    );
    const left = leftOver.filter((_, index) => index % 2 === turn % 2);
    const names = [...nearMisses, ...relatives, ...left, ...prototypeNames, ...resembling, ...strange];
    await t.sendInParallel('call a tool that does not exist', [
      ...madeUp.map((tool) => ({ tool, args: {}, as, invented: ['tool'] })),
      // The arguments must not matter.
      ...names.map((tool, index) => ({ tool, args: index % 4 === 0 ? t.here({ query: 'a' }) : {}, as })),
    ]);
  },
  requirements: [
    is404(
      must(
        'unknown-tools.unknown-404',
        'The server MUST return 404 for a tool name that does not exist.',
        'Errors, 404',
      ),
      (name) => !nearlyATool(name) && !isPrototypeName(name),
    ),
    is404(
      must(
        'unknown-tools.near-misses-404',
        'The server MUST return 404 for a tool name that nearly matches an existing one, in spelling or letter case.',
        'Errors, 404',
      ),
      nearlyATool,
    ),
    is404(
      must(
        'unknown-tools.prototype-names-404',
        'The server MUST return 404 for a tool name that is a built-in property name of JavaScript objects, such as ' +
          '`constructor`.',
        'Errors, 404',
      ),
      isPrototypeName,
    ),
    sameAsOthers(
      must(
        'unknown-tools.uniform-body',
        'The server MUST return the same 404 body for every unknown tool name.',
        'Errors, 404',
      ),
      (one, other, seen) =>
        sameText(one, other, seen, 'Send one constant body for every unknown name, without the name or a suggestion.'),
    ),
    sameAsOthers(
      should(
        'unknown-tools.uniform-headers',
        'The server SHOULD send the same 404 headers for every unknown tool name.',
        'Errors, 404',
        'cosmetic',
      ),
      (one, other, seen) => sameHeaders(one, other, seen, 'Send the same headers for every unknown name.'),
    ),
    rule(
      must(
        'unknown-tools.name-not-in-body',
        'The server MUST NOT repeat the tool name in the 404 body.',
        'Errors, 404',
      ),
      {
        applies: madeUp,
        expect: (exchange) => {
          const { text } = exchange.response;
          if (!text.toLowerCase().includes(String(exchange.request.tool).toLowerCase())) return undefined;
          const expected = 'a body without the requested name';
          return { at: 'exchanges', got: text, expected, actual: shorten(text), hint: repeatsHint };
        },
      },
    ),
    rule(
      should(
        'unknown-tools.name-not-in-headers',
        'The server SHOULD NOT repeat the tool name in a header of the 404.',
        'Errors, 404',
      ),
      {
        applies: (exchange, seen) => knowsHeaders(exchange, seen) && madeUp(exchange),
        expect: (exchange) => {
          const name = String(exchange.request.tool).toLowerCase();
          const header = exchange.response.headers.find(([, value]) => value.toLowerCase().includes(name));
          if (header === undefined) return undefined;
          const expected = 'no header with the requested name';
          return { expected, actual: `${header[0]}: ${brief(header[1])}`, hint: repeatsHint };
        },
      },
    ),
  ],
});
