import type { Redact } from '../history/redaction/redactor.ts';

/** Options of `tck run --image`, which tests a release of the server. */
export interface ImageOptions {
  /** Reference of the image, which is pulled if the engine does not have it. */
  image: string;
  /** Port on which the server listens inside its container. */
  port: number;
  /** Environment of the container. */
  env: Readonly<Record<string, string>>;
  /** Path that returns a 2xx for GET once the server is ready. Default: any response counts as ready. */
  ready?: string | undefined;
  /** Redacts secrets in the output of the container. */
  redact: Redact;
}
