import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { member } from '../json.ts';
import type { Completed, Request, Response } from './exchange.ts';

/** Lowest default limits of common gateways, servers and firewalls. */
const most = {
  /** Characters of path and query. IIS limits the query to 2,048. */
  target: 2048,
  /** Characters of all headers. Apache and nginx limit one header to 8 KB, HAProxy limits all headers to 15 KB. */
  headers: 8000,
  /** Characters of the body. ModSecurity limits it to 128 KiB, nginx to 1 MiB. */
  body: 131_072,
};

/** Returns whether gateways and servers, such as nginx, commonly refuse a request before the API receives it. */
export function isRefusable({ url, headers, body }: Pick<Request, 'url' | 'headers' | 'body'>): boolean {
  const target = pathOf(url);
  return (
    target.length > most.target ||
    !isText(target) ||
    headers.reduce((total, [name, value]) => total + name.length + value.length, 0) > most.headers ||
    headers.some(([, value]) => hasControl(value.replaceAll('\t', ''))) ||
    Math.max(body?.length ?? 0, Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0)) > most.body
  );
}

/** Returns whether an intermediary may have refused the request. The response then says nothing about the API. */
export function mayComeFromIntermediary({ refusable, request, response }: Completed): boolean {
  // Hardened JSON parsers, such as secure-json-parse in Fastify, refuse this member with a 400.
  const isHardened = response.status === 400 && Object.hasOwn(request.args ?? {}, '__proto__');
  return isHardened || (refusable && response.status >= 400 && !blamesBody(request, response));
}

/** Whether the API itself reports a malformed body, although only the path is unusual. */
function blamesBody({ args, url }: Request, { headers, json }: Response): boolean {
  const isOfApi = headers.some(([name]) => name === responseHeaders.api);
  return (
    args !== null && !isText(pathOf(url)) && isOfApi && member(json, 'error', 'code') === boundaryCodes.malformedBody
  );
}

const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '');

/** Returns whether a path and query are valid percent-encoded text without control characters. */
function isText(target: string): boolean {
  try {
    return !hasControl(decodeURIComponent(target));
  } catch {
    return false;
  }
}

const hasControl = (text: string) => /\p{Cc}/u.test(text);
