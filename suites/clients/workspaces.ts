import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Exchange, isRefusal } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import { slugsIn } from '../model/world/places.ts';
import type { Choice, Client } from './client.ts';
import { sinceReceipt } from './exchange.ts';
import { printedResult } from './printed.ts';
import { type ClientRule, clientRule, clientRuleAtEnd, inSeconds, readingMs } from './rule.ts';

const hint =
  'Show the list to a person and pass the chosen slug as `workspace`. In a test, record the choice: ' +
  'person.picks(workspace).';

/** Returns the choice that a request makes. In a history with gaps, the client may have the slug from elsewhere. */
function choiceOf(exchange: Exchange, client: Client): Choice | undefined {
  return client.knowledge.complete ? client.choices.findLast((choice) => choice.exchange === exchange) : undefined;
}

const isOffered = ({ listed, workspace }: Choice) => listed.includes(workspace);

/** Ways to choose without a person. */
const guesses: Readonly<Record<string, (listed: readonly string[]) => string | undefined>> = {
  'the first of the list': (listed) => listed[0],
  'the last of the list': (listed) => listed.at(-1),
  'the first of the alphabet': (listed) => listed.toSorted()[0],
  'the last of the alphabet': (listed) => listed.toSorted().at(-1),
};

/**
 * Returns the guess that explains all choices; undefined if all choices are the same workspace, which may be
 * coincidence.
 */
function guessBehind(choices: readonly Choice[]): string | undefined {
  if (new Set(choices.map(({ workspace }) => workspace)).size < 2) return undefined;
  return Object.keys(guesses).find((name) =>
    choices.every(({ listed, workspace }) => guesses[name]?.(listed) === workspace),
  );
}

/** Rules for the choice of workspaces. */
export const workspaces: readonly ClientRule[] = [
  clientRule('client-workspaces.chosen-by-a-person', (exchange, client) => {
    const choice = choiceOf(exchange, client);
    if (choice === undefined) return undefined;
    const { workspace, refusal } = choice;
    const unlike = (expected: string, actual: string) => ({
      expected,
      actual: `'${workspace}', which ${actual}`,
      hint,
      exchanges: [refusal, exchange],
    });
    if (client.knowledge.person === true) {
      if (client.isPicked(workspace, exchange)) return null;
      return unlike('a workspace that a person picked', 'no person chose');
    }
    if (!isOffered(choice))
      return unlike('one of the workspaces that the refusal lists, as a person picked it', 'the refusal does not list');
    const choices = [...client.earlier.choices, ...client.choices].filter(isOffered);
    if (choices.length < 2) return undefined;
    const guess = guessBehind(choices);
    if (guess === undefined) return null;
    return {
      expected: 'a workspace that a person picked, whatever the order of the list',
      actual: `${guess} each time: ${choices.map((choice) => `'${choice.workspace}'`).join(', then ')}`,
      hint,
      exchanges: choices.flatMap((choice) => [choice.refusal, choice.exchange]),
    };
  }),
  clientRule('client-workspaces.choices-shown', (exchange, client) => {
    const choice = choiceOf(exchange, client);
    if (client.knowledge.person === true || choice === undefined || !isOffered(choice)) return undefined;
    const passed = sinceReceipt(exchange, choice.refusal);
    const why = [
      ...(passed < readingMs ? [`${inSeconds(passed)} after the refusal`] : []),
      ...(choice.listed[0] === choice.workspace ? ['the first of the list'] : []),
    ];
    if (why.length === 0) return null;
    return {
      expected: 'time for a person to read the list and choose',
      actual: `the choice of '${choice.workspace}': ${why.join(', ')}`,
      hint,
      exchanges: [choice.refusal, exchange],
    };
  }),
  clientRuleAtEnd('client-workspaces.named', ({ printedRun: run }) => {
    // After trouble, the line that names the workspace of the others may be missing.
    if (run === undefined || run.metTrouble) return undefined;
    const printed = printedResult(run);
    if (printed === undefined) return undefined;
    const { value, result, isNamed } = printed;
    if (isNamed) return null;
    return {
      expected: `output that names the workspace '${body(result).workspace}' beside the result`,
      actual: `${brief(value)} of ${result.request.tool}, without the workspace`,
      hint: 'Print workspace or working_in.label of the response with each result.',
      exchanges: [result],
    };
  }),
  clientRuleAtEnd('client-workspaces.choices-offered', ({ printedRun: run, choices }) => {
    const refusal = run?.refusals.find((one) => isRefusal(one, refusalCodes.workspaceAmbiguous));
    if (run === undefined || refusal === undefined) return undefined;
    const { output = '' } = run;
    const listed = slugsIn(refusal);
    if (choices.length > 0 || listed.some((slug) => output.includes(slug))) return null;
    return {
      expected: `output with the choices: ${listed.join(', ')}`,
      actual: 'none of these workspaces in the output',
      hint: 'Show the workspaces of the refusal to a person, and let the person choose.',
      exchanges: [refusal],
    };
  }),
];
