import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Headers, Sender } from '../exchange/exchange.ts';
import { plainAddress } from './harmless.ts';

/** A recorded request with its response. Facts that the recording lacks are undefined. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  /** Names are in lower case. */
  readonly requestHeaders: Headers | undefined;
  /** Null if the request had no body. */
  readonly requestBody: string | null | undefined;
  /** Null if no response arrived. */
  readonly response: RecordedResponse | null;
  /** Why no response arrived, if the recording says so. */
  readonly problem?: string;
  /** Earliest moment of sending, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Latest moment of receiving the response; infinite if unknown. */
  readonly receivedAt: number;
  /** Sender, if the recording identifies it in another way than by a header. */
  readonly sender?: Sender | undefined;
  /** Whether a service worker sent the request for a page. Its own request is another entry, the only one judged. */
  readonly viaServiceWorker?: boolean;
  /** Milliseconds by which the deployment's clock was advanced; absent if unknown. */
  readonly clockMoved?: number | undefined;
}

export interface RecordedResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Headers | undefined;
  /** Type of the body, if no header states it. */
  readonly contentType?: string;
  readonly text: string | undefined;
}

/** Returns the base URL of the API and the tool in the path; undefined if the request is not for the API. */
export function addressOf(given: string): { base: string; tool: string } | undefined {
  const url = plainAddress(given);
  const at = url.indexOf(toolsPath);
  if (at < 0) return undefined;
  const [tool = ''] = url.slice(at + toolsPath.length).split(/[?#]/);
  const isOther = tool === '' || tool.includes('/') || url.slice(0, at).includes('?');
  return isOther ? undefined : { base: normalizedBase(url.slice(0, at)), tool };
}

/** Returns a base URL in the form that all its spellings share (RFC 3986, section 6.2.2 and 6.2.3). */
export function normalizedBase(base: string): string {
  const url = URL.parse(base);
  if (url === null) return base;
  const path = url.pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return url.origin + path.replace(/\/+$/, '');
}

/** Facts that no recording contains, but its user may state. */
export const assumptions = [
  /** The recording contains every request to the accounts, and content and permissions changed in no other way. */
  'complete',
  /** The deployment's clock shows real time. */
  'clock',
  /** All requests without a visible key used the same key. */
  'one-key',
] as const;

export type Assumption = (typeof assumptions)[number];
