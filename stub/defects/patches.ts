import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Answer } from '../answers.ts';
import type { Call, Step, Tool } from '../call.ts';
import type { Rules, Steps } from '../rules.ts';

/** A way to be different: rules in, rules out, with one thing changed. Whether that conforms is not its business. */
export type Deviation = (rules: Rules) => Rules;

/** Which answers are meant. */
export type When = (answer: Answer, call: Call) => boolean;
export type Change = (answer: Answer, call: Call) => Answer;
type Body = Readonly<Record<string, unknown>>;

export const status =
  (wanted: number): When =>
  (answer) =>
    answer.status === wanted;

/** Refusals with this code. */
export const code =
  (wanted: string): When =>
  (answer) =>
    answer.body.code === wanted;

/** Successful results of these tools; of all of them when none is named. */
export const result =
  (...tools: readonly ToolName[]): When =>
  (answer, call) =>
    answer.body.ok === true && (tools.length === 0 || tools.some((tool) => tool === call.tool));

export const both =
  (...whens: readonly When[]): When =>
  (answer, call) =>
    whens.every((when) => when(answer, call));

/** Changes the answers that are meant, after everything else. */
export const answering =
  (when: When, change: Change): Deviation =>
  (rules) => ({
    ...rules,
    finish: (given, call) => {
      const answer = rules.finish(given, call);
      return when(answer, call) ? change(answer, call) : answer;
    },
  });

/** A change of the body alone. */
export const body =
  (change: (body: Body, call: Call) => Body): Change =>
  (answer, call) => ({ ...answer, body: change(answer.body, call) });

/** A change of fields: those named `undefined` are left out when it is written. */
export const fields = (changed: Body): Change => body((given) => ({ ...given, ...changed }));

/** A change of the error inside a boundary error. */
export const error = (change: (error: Body, call: Call) => Body): Change =>
  body((given, call) => ({
    ...given,
    // A boundary error has an object here; an answer that is none is left without.
    error: change((given.error ?? {}) as Body, call),
  }));

/** A change of headers; those that are undefined are left out. */
export const headers =
  (changed: Readonly<Record<string, string | undefined>>): Change =>
  (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries({ ...answer.headers, ...changed }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  });

/** Puts a step around another. */
export const around =
  (name: keyof Steps, wrap: (step: Step) => Step): Deviation =>
  (rules) => ({ ...rules, steps: { ...rules.steps, [name]: wrap(rules.steps[name]) } });

/** Leaves a step out for some calls. */
export const skipping = (name: keyof Steps, when: (call: Call) => boolean): Deviation =>
  around(name, (step) => (call) => (when(call) ? undefined : step(call)));

/** Puts a tool around another. */
export const aroundTool =
  <T extends ToolName>(name: T, wrap: (tool: Tool<T>) => Tool<T>): Deviation =>
  (rules) => ({ ...rules, tools: { ...rules.tools, [name]: wrap(rules.tools[name]) } });
