import { describe } from '../fixtures/contract/describe.ts';
import { exitCodes } from '../suites/verdict.ts';
import { choice } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';

export const command = commandOf({
  name: 'describe',
  options: {
    tools: choice('Print the tools as definitions for function calling instead', ['openai', 'anthropic', 'ai-sdk']),
  },
  examples: [
    ['tck describe > openapi.json', 'Write the OpenAPI 3.1 description to a file'],
    ['tck describe --tools openai > tools.json', 'Write the tools in the form that an SDK for models takes'],
  ],
  async run({ tools }, { stdout }) {
    // A large module: the help does not wait for it.
    const { toolDefinitions } = await import('../fixtures/contract/tool-definitions.ts');
    stdout.write(tools === undefined ? describe() : `${JSON.stringify(toolDefinitions(tools), null, 2)}\n`);
    return exitCodes.ok;
  },
});
