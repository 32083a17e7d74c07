import { Dispatcher, Dispatcher1Wrapper, errors } from 'undici';
import type { Handle } from '../server/handle.ts';
import { createConnectionPool } from './connection-pool.ts';
import { DispatchedCall } from './dispatched-request.ts';

/**
 * An undici dispatcher that answers in this process, whatever the origin. Calls are answered on a later turn of the
 * event loop, so that calls made together are under way together.
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
    // Handlers of older undicis, such as the one within Node 22, are called otherwise: as they are, they would wait for
    // ever.
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

  /** Refuses further calls and waits for those under way. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> {
    this.#closed = true;
    const idle = new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#underWay.size === 0) this.#tellIdle();
    return idle.then(callback);
  }

  /** Refuses further calls and aborts those under way. */
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
