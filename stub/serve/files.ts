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
export async function readData(path: string): Promise<WorldData> {
  try {
    // JSON is valid YAML.
    return consistentData(parse(await readText(path, mostBytes)));
  } catch (error) {
    throw new UsageError(`--data: '${path}' ${messageOf(error)}`);
  }
}

/** Reads a profile by name, or from a file in JSON or YAML. Rejects with a UsageError that names the invalid member. */
export async function readProfile(given: string): Promise<Profile> {
  try {
    return faultsOf(profileNames.includes(given) ? given : parse(await readText(given, mostBytes)));
  } catch (error) {
    const names = isUnread(error) ? ` (profiles: ${profileNames.join(', ')})` : '';
    throw new UsageError(`--profile: '${given}' ${messageOf(error)}${names}`);
  }
}

const mostBytes = 64 * megabyte;

/** Returns what is wrong with a file. The YAML parser adds an excerpt of the file below its first line. */
function messageOf(error: unknown): string {
  if (isUnread(error)) return whyNotRead(error);
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `is wrong: ${first.replace(/:$/, '')}`;
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
