import { describe as description } from '../fixtures/contract/describe.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { command } from './command-line/command.ts';

export const describe = command({
  name: 'describe',
  options: {},
  examples: [['tck describe > openapi.json', 'Write the OpenAPI 3.1 description to a file']],

  async run(_given, { stdout }) {
    stdout.write(description());
    return exitCodes.ok;
  },
});
