/** A request as every transport hands it over: plain values, header names in lower case. */
export interface StubRequest {
  readonly method: string;
  /** Path with its query string, as it was sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Null or empty when there was none. A transport may stop reading one byte after `bodyLimitBytes`. */
  readonly body: Uint8Array | null;
  /** Whether it came over TLS. */
  readonly secure?: boolean | undefined;
  /** Stands for the connection that it came on: whoever sends a second request on one has the response to the first. */
  readonly connection?: object | undefined;
}

/** A response as every transport sends it. Header names are in lower case; the length is for the transport to say. */
export interface StubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Left out where the response goes out at once and whole. */
  readonly delivery?: Delivery | undefined;
  /**
   * What follows the body while the client listens: takes the function that sends a text and the one that says that
   * there is no more, gives the one that ends it. A transport within this process, whose clients have better ways to
   * watch, sends the body alone.
   */
  readonly events?: Subscribe | undefined;
}

export type Subscribe = (send: (text: string) => void, over: () => void) => () => void;

/** How a response reaches its client, where that is not at once and whole. */
export interface Delivery {
  /** Milliseconds of real time before the response goes out; what the call did, it did when it came. */
  readonly delayMs?: number | undefined;
  /** The connection ends after so many bytes of the body; -1 stands for no response at all. */
  readonly cutAtBytes?: number | undefined;
  /** The body goes out in pieces over this time, in milliseconds. */
  readonly trickleMs?: number | undefined;
  /** The connection is closed after the response. */
  readonly closes?: boolean | undefined;
  /** The body goes out in pieces, without its length being told. */
  readonly inPieces?: boolean | undefined;
}

/** The one function behind every transport. It never throws and never waits: what it does, it does at once. */
export type Handle = (request: StubRequest) => StubResponse;

/** Longest body that is looked at: 1 MiB. The specification gives no limit. */
export const bodyLimitBytes = 1_048_576;
