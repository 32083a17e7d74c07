/** A request as every transport hands it over: plain values, header names in lower case. */
export interface StubRequest {
  readonly method: string;
  /** Path with its query string, as it was sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Null or empty when there was none. A transport may stop reading one byte after `bodyLimitBytes`. */
  readonly body: Uint8Array | null;
}

/** A response as every transport sends it. Header names are in lower case; the length is for the transport to say. */
export interface StubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one function behind every transport. It never throws and never waits: what it does, it does at once. */
export type Handle = (request: StubRequest) => StubResponse;

/** Longest body that is looked at: 1 MiB. The document gives no limit. */
export const bodyLimitBytes = 1_048_576;
