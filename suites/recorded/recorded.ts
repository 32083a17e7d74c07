import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Headers, Sender } from '../history/exchange.ts';
import { plainAddress } from './harmless.ts';

/** A request with its response as somebody recorded it. What a recording does not tell is undefined. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly requestHeaders: Headers | undefined;
  /** Null where it was omitted. */
  readonly requestBody: string | null | undefined;
  /** Null where none came. */
  readonly response: RecordedResponse | null;
  /** Why no response reached the sender, if the recording says so. */
  readonly problem?: string;
  /** Milliseconds since 1970, not later than the request was sent. */
  readonly sentAt: number;
  /** Not earlier than the response was received; infinite where that is not known. */
  readonly receivedAt: number;
  /** Who sent it, where the recording says so in other words than by a header. */
  readonly sender?: Sender;
  /** Milliseconds by which the deployment's clock was moved; absent where that is not known. */
  readonly clockMoved?: number;
}

export interface RecordedResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Headers | undefined;
  /** The type of the body, where no header tells it. */
  readonly contentType?: string;
  readonly text: string | undefined;
}

/** Where the API of a request is, and the tool that its path names; undefined for a request of anything else. */
export function addressOf(given: string): { base: string; tool: string } | undefined {
  const url = plainAddress(given);
  const at = url.indexOf(toolsPath);
  if (at < 0) return undefined;
  const [tool = ''] = url.slice(at + toolsPath.length).split(/[?#]/);
  const isOther = tool === '' || tool.includes('/') || url.slice(0, at).includes('?');
  return isOther ? undefined : { base: url.slice(0, at), tool };
}
