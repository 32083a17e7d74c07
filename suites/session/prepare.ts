import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { ConfiguredHeader, SentRequest } from '../exchange.ts';
import { isRecord } from '../json.ts';
import type { HeaderList } from '../result.ts';
import type { ExtraHeader, Target } from '../target.ts';
import type { Call } from './call.ts';

/**
 * A call as it goes over the wire, and as it may be told: `url`, `headers` and `bytes` hold secrets, `request` holds
 * none.
 */
export interface Prepared {
  request: SentRequest;
  url: string;
  bytes: Uint8Array | null;
  headers: HeaderList;
}

export function prepare(call: Call, target: Target): Prepared {
  const base = call.baseUrl ?? (call.credential.role && target.keys[call.credential.role]?.baseUrl);
  const path = call.path ?? `${toolsPath}${call.tool}`;
  const { header, curl, at = 'authorization' } = call.credential;
  const members = (value: string | undefined) =>
    Object.fromEntries(at.startsWith('{') ? namesOf(at).map((name) => [name, value]) : []);
  const bodyWith = (value: string | undefined) =>
    call.body ?? (call.args === undefined ? null : JSON.stringify({ ...call.args, ...members(value) }));
  const raw = bodyWith(header);
  const bytes = typeof raw === 'string' ? Buffer.from(raw, 'utf8') : raw;
  const told = bodyWith(curl);
  const plain = plainHeaders(call, raw !== null);
  const authorization = (value: string | undefined): HeaderList =>
    value === undefined || /^[?{]/.test(at) ? [] : at.split(',').map((name): [string, string] => [name, value]);
  const parameter = (value = ''): string[] => (at.startsWith('?') ? namesOf(at).map((name) => `${name}=${value}`) : []);
  const url = (value: string | undefined): string => {
    const query = [...(call.query === undefined ? [] : [call.query]), ...parameter(value)];
    return `${base ?? target.baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  };
  return {
    url: url(header === undefined ? undefined : encodeURIComponent(header)),
    request: {
      method: call.method ?? 'POST',
      url: url(curl),
      tool: call.path === undefined ? call.tool : null,
      headers: [...authorization(header && (curl ?? '(secret)')), ...plain],
      configured: target.headers.map(shown),
      body: told === null ? null : Buffer.from(told).toString('utf8'),
      args: isRecord(call.args) ? call.args : null,
      ...(call.invented === undefined ? {} : { invented: call.invented }),
      ...(call.observes === undefined ? {} : { observes: call.observes }),
      ...(call.step === undefined ? {} : { step: call.step }),
      odd: call.odd ?? false,
    },
    bytes,
    headers: [
      ...authorization(header),
      ...plain,
      ...target.headers.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
    ],
  };
}

/** Names of parameters of the query, or of members of the body, behind the sign that says which. */
const namesOf = (at: string): string[] => at.slice(1).split(',');

/** Those that the call brings; one that it names takes the place of the usual one. */
function plainHeaders({ headers = {} }: Call, hasBody: boolean): HeaderList {
  const usual: HeaderList = hasBody ? [['content-type', 'application/json']] : [];
  return [...usual.filter(([name]) => !Object.hasOwn(headers, name)), ...Object.entries(headers)];
}

function shown({ name, value, variable }: ExtraHeader): ConfiguredHeader {
  return { name: name.toLowerCase(), ...(variable === undefined ? { value } : { variable }) };
}
