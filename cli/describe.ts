import { describe as description } from '../fixtures/contract/describe.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { command } from './command-line/command.ts';
import { flag } from './command-line/option.ts';

export const describe = command({
  name: 'describe',
  options: { control: flag('Print the description of the control plane of tck stub instead') },
  examples: [
    ['tck describe > openapi.json', 'Write the OpenAPI 3.1 description to a file'],
    ['tck describe --control > control.json', 'Write the description of the control plane to a file'],
  ],

  async run({ control }, { stdout }) {
    stdout.write(control ? (await import('../stub/controlled.ts')).describeControl() : description());
    return exitCodes.ok;
  },
});
