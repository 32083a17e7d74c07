import { limits } from '../../fixtures/contract/limits.ts';
import type { ToolName } from '../../fixtures/contract/tools.ts';
import { declaredArguments } from '../declared-tool.ts';
import type { Issue } from './answers.ts';
import type { Call, Json } from './model.ts';

export const formats = ['posts', 'stories', 'shorts_clips', 'long_form', 'articles'];

/** Describes what is wrong with a value; returns undefined for a valid value. */
type Test = (value: Json, call: Call) => string | undefined;

const text: Test = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const within =
  (shortest: number, longest: number): Test =>
  (value, call) => {
    const length = typeof value === 'string' ? [...value].length : 0;
    return text(value, call) ?? (length < shortest || length > longest ? 'has the wrong length' : undefined);
  };

const slug = within(limits.workspace.least, Number.POSITIVE_INFINITY);

const day: Test = (value, call) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'must be written YYYY-MM-DD';
  const real = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(real.getTime()) || !real.toISOString().startsWith(value) ? 'is no day' : text(value, call);
};

const optional = { workspace: slug };

interface Rule {
  required: Record<string, Test>;
  optional: Record<string, Test>;
  closed?: boolean;
}

const rules: Partial<Record<ToolName, Rule>> = {
  'schedule.read': { required: {}, optional },
  'content.status': { required: {}, optional },
  'library.search': { required: {}, optional: { query: text, ...optional } },
  'library.get': { required: { kind: text, id: text }, optional },
  'knowledge.search': { required: {}, optional: { query: text, ...optional } },
  'connections.status': { required: {}, optional },
  'credits.balance': { required: {}, optional: {} },
  'content.create_request': {
    required: {
      format: (value) => (typeof value === 'string' && formats.includes(value) ? undefined : 'is no format'),
      day,
    },
    optional: {
      title: (value, call) => within(call.world.settings.title.least, call.world.settings.title.most)(value, call),
      ...optional,
    },
    closed: true,
  },
  'images.generate': {
    required: {
      board: text,
      brief: (value, call) => within(...call.world.settings.brief)(value, call),
      count: (value, { world }) =>
        world.settings.counts.some((count) => count === value) ? undefined : `one of ${world.settings.counts}`,
      shape: (value, { world }) =>
        world.settings.shapes.some((shape) => shape === value) ? undefined : `one of ${world.settings.shapes}`,
    },
    optional: { ...optional, confirmation_id: within(1, 4000) },
  },
};

/** Returns the rule of a tool that this server has no code for, from its declaration. */
function declaredRule(tool: ToolName): Rule {
  const rule: Rule = { required: {}, optional: {} };
  for (const { name, required, accepts } of declaredArguments(tool)) {
    const test: Test = (value) => (accepts(value) ? undefined : 'has the wrong form');
    (required ? rule.required : rule.optional)[name] = test;
  }
  return rule;
}

/** Returns one issue for each argument that violates the tool's schema. */
export function issuesOf(call: Call): Issue[] {
  const rule = rules[call.tool] ?? declaredRule(call.tool);
  const issues: Issue[] = [];
  for (const [path, test] of Object.entries({ ...rule.required, ...rule.optional })) {
    const given = Object.hasOwn(call.args, path) ? call.args[path] : undefined;
    if (given === undefined) {
      if (Object.hasOwn(rule.required, path)) issues.push({ path, message: 'is required' });
      continue;
    }
    const message = test(given, call);
    if (message !== undefined) issues.push({ path, message });
  }
  const known = new Set([...Object.keys(rule.required), ...Object.keys(rule.optional)]);
  for (const path of rule.closed ? Object.keys(call.args) : []) {
    if (!known.has(path)) issues.push({ path, message: 'is not a property of this request' });
  }
  return issues;
}
