import { validateHeaderName } from 'node:http';
import type { HeaderReferences } from '../../fixtures/target-config.ts';
import type { ExtraHeader } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';
import { assertHeaderValue, resolveSecret, type SecretSources } from './secret.ts';

/** Headers that the kit or the connection sets. */
const reserved = [
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Returns the extra headers, and their secret values. A value is secret unless the configuration contains it. */
export async function resolveHeaders(
  references: HeaderReferences,
  field: string,
  sources: SecretSources,
): Promise<{ headers: ExtraHeader[]; secrets: string[] }> {
  const headers: ExtraHeader[] = [];
  const secrets: string[] = [];
  for (const [name, reference] of Object.entries(references)) {
    const here = `${field}.${name}`;
    assertHeaderName(name, here);
    if (typeof reference === 'string') {
      assertHeaderValue(reference, here);
      headers.push({ name, value: reference });
      continue;
    }
    const value = await resolveSecret(reference, here, sources);
    assertHeaderValue(value, here);
    headers.push({ name, value, variable: reference.env ?? variableOf(name) });
    secrets.push(value);
  }
  return { headers, secrets };
}

/** Returns the variable that represents a value from a file or a program, for example `TCK_HEADER_X_GATEWAY`. */
function variableOf(name: string): string {
  return `TCK_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

function assertHeaderName(name: string, field: string): void {
  if (reserved.includes(name.toLowerCase())) {
    throw new UsageError(`${field}: expected a header that the kit does not set itself`);
  }
  try {
    validateHeaderName(name);
  } catch {
    throw new UsageError(`${field}: expected the name of a header, got characters that a name cannot contain`);
  }
}
