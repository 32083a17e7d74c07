import { quoted, refusalCodes } from '../../fixtures/contract/codes.ts';
import { isToolName, type ToolName, tools } from '../../fixtures/contract/tools.ts';
import { validators } from '../../fixtures/contract/validators.generated.js';
import { must, type Requirement, type Topic } from '../../fixtures/requirements/model.ts';
import { type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { type Broken, brokenField, brokenFields, type Violation } from '../situations/violations.ts';
import { isWorkspaceRefusal, typeHint } from './answers.ts';
import { invalidField } from './issues.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule } from './rule.ts';

/** Returns the statement that the server refuses an argument, such as "an empty `workspace`", and names the field. */
export const asInvalid = (argument: string) =>
  `The server MUST return ${quoted.invalidArguments} for ${argument}, and name the field.`;

/** Whether the server looked for the workspace before it checked the arguments, and did not find the workspace. */
const isNotFound = (exchange: Completed) =>
  isWorkspaceRefusal(exchange) && !isRefusal(exchange, refusalCodes.workspaceAmbiguous);

/**
 * Builds the rule that the server refuses a request whose `field` violates the schema in one of these ways. The refusal
 * has the code `invalid_arguments`, and if it has `issues`, one names the field. The schemas are in
 * `fixtures/contract/tools/`. The twin is the request with another value of the field, or without the field.
 *
 * @param only values of the field that the requirement covers
 */
export function refusesField(
  requirement: Requirement,
  ofTools: readonly ToolName[],
  field: string | null,
  ways: readonly Violation[],
  hint: string,
  only: (value: unknown) => boolean = () => true,
): Rule {
  // A refusal may report any of several invalid fields, so only a request with one of them is judged. A success is
  // wrong whichever field is invalid.
  const brokenHere = (exchange: Completed): Broken | undefined =>
    isSuccess(exchange)
      ? brokenFields(exchange).find((broken) => (field === null || broken.field === field) && ways.includes(broken.how))
      : brokenField(exchange);
  return rule(requirement, {
    applies: (exchange) => {
      const { tool, args } = exchange.request;
      if (exchange.sender.kind !== 'key' || !ofTools.some((name) => name === tool)) return false;
      const broken = brokenHere(exchange);
      if (broken === undefined) return false;
      // The specification does not define null for an optional argument.
      const isUnruled = broken.how === 'missing' && args?.[broken.field] === null && !requiredBy(tool, broken.field);
      return (
        (field === null || broken.field === field) &&
        ways.includes(broken.how) &&
        !isUnruled &&
        only(args?.[broken.field])
      );
    },
    judgesRefusals: true,
    unlessChanged: true,
    // A busy service may decline before it reads the arguments.
    unlessDeclinedElsewhere: true,
    twin: ({ sender, request }, seen) => ({
      succeeded: seen.successes.has({
        role: sender.role,
        tool: request.tool ?? '',
        args: request.args ?? {},
        exact: request.tool === 'images.generate',
        except: brokenFields({ request }).map((broken) => broken.field),
      }),
      promisedBy: promisedBy(request.tool),
    }),
    expect: (exchange) => {
      const broken = brokenHere(exchange);
      const isUnknownWorkspace = broken?.field === 'workspace' && broken.how === 'type' && isNotFound(exchange);
      if (isUnknownWorkspace) return undefined;
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

/** The tool, topic and source of requirements that repeat for several arguments. */
interface ArgumentsOf {
  readonly topic: Topic;
  readonly tool: ToolName;
  /** Section and item of the specification that define the arguments. */
  readonly source: string;
}

/** Builds the rule that the server refuses a request without a required argument. */
export function missingRefused({ topic, tool, source }: ArgumentsOf, field: string): Rule {
  const statement = asInvalid(`a request without \`${field}\``);
  const requirement = must(`${topic}.${field}-missing-refused`, statement, source);
  return refusesField(requirement, [tool], field, ['missing'], `Require ${field}.`);
}

/** Builds the rule that the server refuses an argument of another JSON type. */
export function wrongTypeRefused({ topic, tool, source }: ArgumentsOf, field: string, type = 'string'): Rule {
  const article = field.startsWith('i') ? 'an' : 'a';
  const statement = asInvalid(`${article} \`${field}\` that is not a ${type}`);
  const requirement = must(`${topic}.${field}-wrong-type-refused`, statement, source);
  return refusesField(requirement, [tool], field, ['type'], typeHint);
}
