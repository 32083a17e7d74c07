import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Headers, Request } from '../exchange/exchange.ts';
import { isRecord } from '../json.ts';
import type { Target } from '../target/target.ts';
import type { Call } from './call.ts';

/**
 * A call in the form to send and in the form to report. `url`, `headers` and `bytes` hold secrets. `request` holds
 * none.
 */
interface Prepared {
  request: Request;
  url: string;
  bytes: Uint8Array | null;
  headers: Headers;
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
  const bodyBytes = bodyWith(curl);
  const plain = plainHeaders(call, raw !== null);
  // The transport sends this header. In the report, it distinguishes the request, and curl obeys it, too.
  const framing: Headers = call.chunked === true ? [['transfer-encoding', 'chunked']] : [];
  const authorization = (value: string | undefined): Headers =>
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
      headers: [...authorization(header && (curl ?? '(secret)')), ...plain, ...framing],
      body: bodyBytes === null ? null : Buffer.from(bodyBytes).toString('utf8'),
      args: bodyBytes === null ? {} : isRecord(call.args) ? call.args : null,
    },
    bytes,
    headers: [
      ...authorization(header),
      ...plain,
      ...target.headers.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
      // A dispatcher in this process gets the whole body, so that only the header tells the framing.
      ...(target.dispatcher === undefined ? [] : framing),
    ],
  };
}

/** Returns the names of query parameters or body members after the leading `?` or `{`. */
const namesOf = (at: string): string[] => at.slice(1).split(',');

function plainHeaders({ headers = {} }: Call, hasBody: boolean): Headers {
  const usual: Headers = hasBody ? [['content-type', 'application/json']] : [];
  return [...usual.filter(([name]) => !Object.hasOwn(headers, name)), ...Object.entries(headers)];
}
