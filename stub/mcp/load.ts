import { isForeign } from '../../suites/usage/local-server.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { problem } from '../control/reply.ts';
import type { Stub } from '../index.ts';
import type { Beside } from '../transports/http.ts';

/** Path of the Model Context Protocol, beside the API. */
const mcpPath = '/mcp';

export const mcpUrlOf = (baseUrl: string): string => new URL(mcpPath, baseUrl).href;

type Adapter = typeof import('./adapter.ts');

/** Returns the Streamable HTTP handler of a sandbox at the stub's address. */
export function besideFor({ respondOverHttp }: Adapter, world: Stub): Beside {
  return {
    path: mcpPath,
    async respond(request, left) {
      if (!isForeign(request.headers)) return respondOverHttp(world, request, left);
      return problem(403, '/mcp refuses pages of other sites and other names of this host.');
    },
  };
}

const needed = '@modelcontextprotocol/server';

/**
 * Loads the MCP adapter. It needs a package that only users of `--mcp` install. Throws a UsageError if the package is
 * missing.
 */
export async function loadMcp(): Promise<Adapter> {
  try {
    return await import('./adapter.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(`--mcp needs the package ${needed}: install it beside this one (${installation()})`);
  }
}

/** A global installation finds only packages that are installed globally. */
function installation(): string {
  const isGlobal = /[\\/](?:lib|npm)[\\/]node_modules[\\/]content-workspace-tck[\\/]/.test(import.meta.filename);
  return `npm install ${isGlobal ? '--global ' : ''}${needed}`;
}
