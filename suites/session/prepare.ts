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
  const { header, curl = '(secret)' } = call.credential;
  const base = call.baseUrl ?? (call.credential.role && target.keys[call.credential.role]?.baseUrl) ?? target.baseUrl;
  const sent = withCredential(call, header, header && encodeURIComponent(header));
  const shown = withCredential(call, header && curl);
  // The transport sends this header. In the report, it distinguishes the request, and curl obeys it, too.
  const framing: Headers = call.chunked === true ? [['transfer-encoding', 'chunked']] : [];
  const plain = plainHeaders(call, sent.body !== null);
  return {
    url: `${base}${sent.target}`,
    request: {
      method: call.method ?? 'POST',
      url: `${base}${shown.target}`,
      tool: call.path === undefined ? call.tool : null,
      headers: [...shown.headers, ...plain, ...framing],
      body: shown.body === null ? null : Buffer.from(shown.body).toString('utf8'),
      args: shown.body === null ? {} : isRecord(call.args) ? call.args : null,
    },
    bytes: sent.body === null ? null : Buffer.from(sent.body),
    headers: [
      ...sent.headers,
      ...plain,
      ...target.headers.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
      // A dispatcher in this process gets the whole body, so that only the header tells the framing.
      ...(target.dispatcher === undefined ? [] : framing),
    ],
  };
}

/** Returns the parts of a request that may hold the credential, with `value` in its place. */
function withCredential({ credential, ...call }: Call, value: string | undefined, inUrl = value) {
  const [, place, list = ''] = /^([?{]?)(.*)$/s.exec(credential.at ?? 'authorization') ?? [];
  const names = list.split(',');
  const headers: Headers = place === '' && value !== undefined ? names.map((name) => [name, value]) : [];
  const members = place === '{' ? Object.fromEntries(names.map((name) => [name, value])) : {};
  const parameters = place === '?' ? names.map((name) => `${name}=${inUrl ?? ''}`) : [];
  const query = [...(call.query === undefined ? [] : [call.query]), ...parameters].join('&');
  const hasQuery = call.query !== undefined || parameters.length > 0;
  const body = call.body ?? (call.args === undefined ? null : JSON.stringify({ ...call.args, ...members }));
  return { headers, body, target: `${call.path ?? `${toolsPath}${call.tool}`}${hasQuery ? `?${query}` : ''}` };
}

function plainHeaders({ headers = {} }: Call, hasBody: boolean): Headers {
  const usual: Headers = hasBody ? [['content-type', 'application/json']] : [];
  return [...usual.filter(([name]) => !Object.hasOwn(headers, name)), ...Object.entries(headers)];
}
