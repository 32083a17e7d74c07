/** A request, independent of the transport. Header names are in lower case. */
export interface StubRequest {
  readonly method: string;
  /** Path with its query string, unnormalized. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Null or empty if absent. A transport may stop reading one byte after `bodyLimitBytes`. */
  readonly body: Uint8Array | null;
  /** Whether the request uses TLS. */
  readonly secure?: boolean | undefined;
  /**
   * Identifies the connection. A second request on the same connection proves that its client received the first
   * response.
   */
  readonly connection?: object | undefined;
}

/** A response, independent of the transport. Header names are in lower case; the transport adds the length. */
export interface StubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Omitted if the response is sent immediately and completely. */
  readonly delivery?: Delivery | undefined;
  /** Called if the client closes the connection before the whole response is sent. */
  readonly abandoned?: (() => void) | undefined;
}

/** Delays and interruptions of a response. */
export interface Delivery {
  /** Real time in milliseconds before the response is sent. The request takes effect before the delay. */
  readonly delayMs?: number | undefined;
  /** Bytes of the body after which the connection closes; -1 for no response at all. */
  readonly cutAtBytes?: number | undefined;
  /** Whether `cutAtBytes` closes the connection with a TCP reset. */
  readonly resets?: boolean | undefined;
  /** Duration over which the body is sent in chunks, in milliseconds. */
  readonly trickleMs?: number | undefined;
}

/** The function behind every transport. All effects are synchronous. An error that it throws is a fault of the stub. */
export type Handle = (request: StubRequest) => StubResponse;

/** Maximum body size: 1 MiB. The specification defines no limit. */
export const bodyLimitBytes = 1_048_576;
