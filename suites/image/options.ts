import type { Redact } from '../history/redaction/redactor.ts';

/** A server release as `tck run --image` is told about it. */
export interface ImageOptions {
  /** Reference of the image; pulled when the engine does not have it. */
  image: string;
  /** Port that the server listens on within its container. */
  port: number;
  /** Environment of the container. */
  env: Readonly<Record<string, string>>;
  /** Path that answers a GET with 2xx once the server is ready; without it any answer counts. */
  ready?: string | undefined;
  /** How long it may take to become ready. */
  readySeconds: number;
  /** Takes secrets out of what the container printed. */
  redact: Redact;
}
