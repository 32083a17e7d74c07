import { Dispatcher, Dispatcher1Wrapper, errors } from 'undici';
import type { Handle } from '../server/handle.ts';
import { createConnectionPool } from './connection-pool.ts';
import { DispatchedCall } from './dispatched-request.ts';

/**
 * Creates an undici dispatcher that responds in process, for any origin. It responds on a later turn of the event loop,
 * so requests sent together are concurrent.
 */
export function createDispatcher(handle: Handle): Dispatcher {
  return new StubDispatcher(handle);
}

class StubDispatcher extends Dispatcher {
  readonly #handle: Handle;
  readonly #connections = createConnectionPool();
  readonly #underWay = new Set<DispatchedCall>();
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(handle: Handle) {
    super();
    this.#handle = handle;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // Handlers of older undici versions, such as the one in Node 22, use other callbacks and would never finish.
    if (handler.onRequestStart === undefined && 'onConnect' in handler) {
      return new Dispatcher1Wrapper(this).dispatch(options, handler);
    }
    const connection = this.#connections.take();
    const call = new DispatchedCall(handler, () => {
      if (!call.aborted) this.#connections.give(connection);
      this.#ended(call);
    });
    if (this.#closed) {
      call.abort(new errors.ClientClosedError());
      return false;
    }
    this.#underWay.add(call);
    call.start(options, (request) => this.#handle({ ...request, connection }));
    return true;
  }

  /** Rejects new requests and waits for those in progress. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> {
    this.#closed = true;
    const idle = new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#underWay.size === 0) this.#tellIdle();
    return idle.then(callback);
  }

  /** Rejects new requests and aborts those in progress. */
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null): Promise<void>;
  override destroy(): Promise<void>;
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> {
    const [error, callback] = typeof first === 'function' ? [null, first] : [first ?? null, second];
    this.#closed = true;
    for (const call of [...this.#underWay]) call.abort(error ?? new errors.ClientDestroyedError());
    return Promise.resolve().then(callback);
  }

  #ended(call: DispatchedCall): void {
    this.#underWay.delete(call);
    if (this.#underWay.size === 0) this.#tellIdle();
  }

  #tellIdle(): void {
    for (const tell of this.#idle.splice(0)) tell();
  }
}
