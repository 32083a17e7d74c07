/** Event for the live page of `tck proxy`. Never contains a key. */
export type LiveEvent =
  | {
      readonly kind: 'exchange';
      readonly number: number;
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly sender: string;
      readonly tool: string;
      readonly outcome: string;
      readonly durationMs: number | null;
    }
  | {
      readonly kind: 'finding';
      readonly id: string;
      readonly expected: string;
      readonly actual: string;
      readonly places: readonly string[];
    }
  | {
      readonly kind: 'progress';
      readonly passed: number;
      /** Number of requests in the queue. If the queue is full, requests pass unjudged. */
      readonly waiting: number;
      readonly mostWaiting: number;
      readonly unjudged: number;
    };
