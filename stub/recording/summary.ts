import { shownTool } from '../../suites/recorded/bare.ts';
import { counted } from '../../suites/usage/counted.ts';
import type { Derived } from './derive.ts';
import type { RecordedTraffic } from './exchanges.ts';
import type { Difference, Replay } from './replay.ts';

/** Maximum number of lines about differences, and of listed names. */
const most = { lines: 20, names: 8 };

/** Returns what the sandbox has of a recording, and what it does not reproduce, without texts of the recording. */
export function summaryOf(name: string, traffic: RecordedTraffic, derived: Derived, result: Replay): string {
  const missing = [...leftOut(traffic, derived), ...grouped(result.differences), ...unknownMembers(result)];
  return [
    `Sandbox of ${name}:`,
    `  ${contents(derived)}`,
    ...keys(derived),
    ...(missing.length === 0 ? [] : ['Not reproduced:', ...missing.map((line) => `  ${line}`)]),
    `Reproduced ${result.reproduced} of ${counted(result.responses, 'response')}.`,
  ].join('\n');
}

function contents({ data: { workspaces = {}, now = '' } }: Derived): string {
  const all = Object.values(workspaces);
  const slugs = listed(Object.keys(workspaces));
  const sum = (count: (workspace: (typeof all)[number]) => number) =>
    all.reduce((total, workspace) => total + count(workspace), 0);
  const counts: [number, string][] = [
    [sum(({ boards = [] }) => boards.length), 'board'],
    [sum(({ library = [] }) => library.length), 'library item'],
    [sum(({ knowledge = [] }) => knowledge.length), 'passage'],
    [sum(({ schedule = [], requested = [] }) => schedule.length + requested.length), 'piece'],
  ];
  const parts = [
    `${counted(all.length, 'workspace')}${slugs === '' ? '' : ` (${slugs})`}`,
    ...counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun)),
  ];
  return `${parts.join(', ')}; starts at ${now}`;
}

function keys({ keys, roles }: Derived): string[] {
  return keys.flatMap(({ label, stated, requests }, index) => {
    const role = roles.get(label);
    // A recording can contain any text as the label of a key.
    const shown = stated ?? (/^key \d+$/.test(label) ? label : `sender ${index + 1}`);
    if (role === undefined || role === shown) return [];
    return [`  ${shown} of the recording (${counted(requests, 'request')}) is the role ${role}`];
  });
}

function leftOut({ otherEntries, beyondLimits }: RecordedTraffic, { unusable }: Derived): string[] {
  const others = counted(otherEntries, 'entry that is not a POST request', 'entries that are not POST requests');
  const beyond = counted(beyondLimits, 'later request', 'later requests');
  const workspaces = counted(unusable.length, 'workspace');
  return [
    ...(otherEntries === 0 ? [] : [`${others} to a tool of the API`]),
    ...(beyondLimits === 0 ? [] : [`${beyond}: the stub reads a limited number`]),
    ...(unusable.length === 0
      ? []
      : [`${workspaces}: the stub accepts only slugs such as my-shop-2, and has some of its own in other accounts`]),
  ];
}

/** Groups differences with the same text, the most frequent first. */
function grouped(differences: readonly Difference[]): string[] {
  const groups = new Map<string, number[]>();
  for (const { entry, tool, what } of differences) {
    const text = tool === undefined ? what : `${shownTool(tool)}: ${what}`;
    groups.set(text, [...(groups.get(text) ?? []), entry]);
  }
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const lines = sorted
    .slice(0, most.lines)
    .map(
      ([text, entries]) => `${entries.length} × ${text} (${entries.length === 1 ? '' : 'first '}entry ${entries[0]})`,
    );
  const more = sorted.slice(most.lines).reduce((total, [, entries]) => total + entries.length, 0);
  return more === 0 ? lines : [...lines, `${more} × other differences`];
}

function unknownMembers({ unknownMembers }: Replay): string[] {
  return unknownMembers.length === 0 ? [] : [`Members that the stub does not have: ${listed(unknownMembers)}`];
}

function listed(names: readonly string[]): string {
  const more = names.length - most.names;
  return [...names.slice(0, most.names), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
