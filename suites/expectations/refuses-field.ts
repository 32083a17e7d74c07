import { quoted, refusalCodes } from '../../fixtures/contract/codes.ts';
import { isToolName, type ToolName, tools } from '../../fixtures/contract/tools.ts';
import { validators } from '../../fixtures/contract/validators.generated.js';
import { must, type RequirementId, type Topic } from '../../fixtures/requirements/model.ts';
import { type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { type Broken, brokenField, brokenFields, type Violation } from '../situations/violations.ts';
import { isWorkspaceRefusal, typeHint } from './answers.ts';
import { invalidField } from './issues.ts';
import { sameRequest } from './promises.ts';
import { type Rule, rule } from './rule.ts';

/** Whether the server looked for the workspace before it checked the arguments, and did not find the workspace. */
const isNotFound = (exchange: Completed) =>
  isWorkspaceRefusal(exchange) && !isRefusal(exchange, refusalCodes.workspaceAmbiguous);

/** Whether the only error is a `workspace` that is not a string. */
const isOfWorkspaceType = (broken: Broken | undefined) => broken?.field === 'workspace' && broken.how === 'type';

/** The tools, topic and source of requirements that repeat for several arguments. */
interface ArgumentsOf {
  readonly topic: Topic;
  readonly tools: readonly ToolName[];
  /** Section and item of the specification that define the arguments. */
  readonly source: string;
}

interface RefusedField extends Omit<ArgumentsOf, 'topic'> {
  readonly id: RequirementId;
  /** The refused argument in the statement, such as "an empty `workspace`". */
  readonly what: string;
  /** End of the statement. */
  readonly ending?: string;
  /** Undefined if the requirement covers every field. */
  readonly field?: string;
  readonly ways: readonly Violation[];
  readonly hint: string;
  /** Values of the field that the requirement covers; default: all. */
  readonly only?: (value: unknown) => boolean;
}

/**
 * Builds the rule that the server refuses a request whose `field` violates the schema in one of these ways. The refusal
 * has the code `invalid_arguments`, and if it has `issues`, one names the field. The schemas are in
 * `fixtures/contract/tools/`. The twin is the request with another value of the field, or without the field.
 */
export function refusesField(refused: RefusedField): Rule {
  const { id, what, ending = 'and name the field', source, field, ways, hint, only = () => true } = refused;
  const statement = `The server MUST return ${quoted.invalidArguments} for ${what}, ${ending}.`;
  const isCovered = (broken: Broken) => (field === undefined || broken.field === field) && ways.includes(broken.how);
  // A refusal may report any of several invalid fields, so only a request with one of them is judged. A success is
  // wrong whichever field is invalid.
  const brokenHere = (exchange: Completed): Broken | undefined =>
    isSuccess(exchange) ? brokenFields(exchange).find(isCovered) : brokenField(exchange);
  return rule(must(id, statement, source), {
    applies: (exchange) => {
      const { tool, args } = exchange.request;
      if (exchange.sender.kind !== 'key' || !refused.tools.some((name) => name === tool)) return false;
      const broken = brokenHere(exchange);
      if (broken === undefined) return false;
      // The specification does not define null for an optional argument.
      const isUnruled = broken.how === 'missing' && args?.[broken.field] === null && !requiredBy(tool, broken.field);
      return isCovered(broken) && !isUnruled && only(args?.[broken.field]);
    },
    judgesRefusals: true,
    unlessChanged: true,
    // A busy service may decline before it reads the arguments.
    unlessDeclinedElsewhere: true,
    twin: (exchange, seen) => {
      // A server that looks for the workspace first may take a value that is not a string for none.
      const isUnnamed = isRefusal(exchange, refusalCodes.workspaceAmbiguous) && isOfWorkspaceType(brokenHere(exchange));
      if (isUnnamed && !seen.checkOrder.argumentsFirst) return { succeeded: false };
      return sameRequest(exchange, seen, {
        texts: exchange.request.tool === 'images.generate' ? 'same' : 'any',
        except: brokenFields(exchange).map((broken) => broken.field),
      });
    },
    expect: (exchange) => {
      const broken = brokenHere(exchange);
      if (isOfWorkspaceType(broken) && isNotFound(exchange)) return undefined;
      return broken && invalidField(exchange, broken.field, broken.by, hint);
    },
  });
}

function requiredBy(tool: string | null, field: string): boolean {
  if (tool === null || !isToolName(tool)) return false;
  const validate = validators[`${tools[tool].schema}Arguments`];
  validate({});
  return (validate.errors ?? []).some(({ params }) => params.missingProperty === field);
}

/** Builds the rule that the server refuses a request without a required argument. */
export function missingRefused({ topic, ...of }: ArgumentsOf, field: string): Rule {
  const what = `a request without \`${field}\``;
  const id = `${topic}.${field}-missing-refused` as const;
  return refusesField({ ...of, id, what, field, ways: ['missing'], hint: `Require ${field}.` });
}

/** Builds the rule that the server refuses an argument of another JSON type. */
export function wrongTypeRefused({ topic, ...of }: ArgumentsOf, field: string, type = 'string'): Rule {
  const article = field.startsWith('i') ? 'an' : 'a';
  const what = `${article} \`${field}\` that is not a ${type}`;
  const id = `${topic}.${field}-wrong-type-refused` as const;
  return refusesField({ ...of, id, what, field, ways: ['type'], hint: typeHint });
}
