import { parse } from 'yaml';
import { describe } from '../../fixtures/contract/describe.ts';
import { isRecord } from '../../suites/json.ts';
import { isUnread, megabyte, readText, whyNotRead } from '../../suites/usage/read-file.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { faultsOf, type Profile, profileNames } from '../profiles/profile.ts';
import type { WorldData } from '../seeded/data.ts';
import { consistentData } from '../seeded/world.ts';
import type { Handle, StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';

/** Reads data in JSON or YAML. Rejects with a UsageError that names the file and each invalid member. */
export const readData = (path: string): Promise<WorldData> => read('--data', path, consistentData);

/** Reads a profile by name, or from a file in JSON or YAML. Rejects with a UsageError that names the invalid member. */
export async function readProfile(given: string): Promise<Profile> {
  if (profileNames.includes(given)) return faultsOf(given);
  return read('--profile', given, faultsOf, ` (profiles: ${profileNames.join(', ')})`);
}

const mostBytes = 64 * megabyte;

/** Reads a file. JSON is valid YAML. `advice` follows the reason if the file cannot be read. */
async function read<T>(option: string, path: string, valid: (content: unknown) => T, advice = ''): Promise<T> {
  try {
    return valid(parse(await readText(path, mostBytes)));
  } catch (error) {
    if (isUnread(error)) throw new UsageError(`${option}: '${path}' ${whyNotRead(error)}${advice}`);
    // The YAML parser adds an excerpt of the file below its first line.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`${option}: '${path}' is wrong: ${first.replace(/:$/, '')}`);
  }
}

const openapiPath = '/openapi.json';
const healthPath = '/health';

/** Serves the optional paths that are not part of the API. */
export const extras =
  ({ openapi, health }: { readonly openapi: boolean; readonly health: boolean }) =>
  (handle: Handle, { basePath }: World): Handle => {
    const pages = new Map<string, StubResponse>([
      ...(openapi ? [[openapiPath, json(description(basePath))] as const] : []),
      ...(health ? [[healthPath, json('{"status":"ok"}')] as const] : []),
    ]);
    return (request) => (request.method === 'GET' ? pages.get(request.path) : undefined) ?? handle(request);
  };

/** Returns the API description with this stub as its server. The server URL is relative to the description. */
function description(basePath: string): string {
  const described: unknown = JSON.parse(describe());
  return JSON.stringify({
    ...(isRecord(described) ? described : {}),
    servers: [{ url: basePath === '' ? '/' : basePath }],
  });
}

function json(body: string): StubResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
