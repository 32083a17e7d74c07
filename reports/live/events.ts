/** What the live page of `tck proxy` is told. No key is in it. */
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
      /** Requests that wait to be judged, and the most that may; more pass unjudged. */
      readonly waiting: number;
      readonly mostWaiting: number;
      readonly unjudged: number;
    };
