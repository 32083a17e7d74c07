import { describe as description } from '../fixtures/contract/describe.ts';
import { toolForms } from '../fixtures/contract/tool-forms.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { choice, flag } from './command-line/option.ts';

export const describe = command({
  name: 'describe',
  options: {
    control: flag('Print the description of the control plane of tck stub instead'),
    tools: choice('Print the tools as definitions for function calling instead', toolForms),
  },
  examples: [
    ['tck describe > openapi.json', 'Write the OpenAPI 3.1 description to a file'],
    ['tck describe --control > control.json', 'Write the description of the control plane to a file'],
    ['tck describe --tools openai > tools.json', 'Write the tools in the form that an SDK for models takes'],
  ],
  async run({ control, tools }, { stdout }) {
    if (control && tools !== undefined) throw new UsageError('--tools: expected without --control');
    stdout.write(await textOf(control, tools));
    return exitCodes.ok;
  },
});

async function textOf(control: boolean, tools: (typeof toolForms)[number] | undefined): Promise<string> {
  if (control) return (await import('../stub/controlled.ts')).describeControl();
  if (tools === undefined) return description();
  const { toolDefinitions } = await import('../fixtures/contract/tool-definitions.ts');
  return `${JSON.stringify(toolDefinitions(tools), null, 2)}\n`;
}
