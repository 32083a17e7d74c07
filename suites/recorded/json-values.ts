const [quote, backslash, comma, colon] = [...Buffer.from('"\\,:')];
const [openObject, closeObject, openArray, closeArray] = [...Buffer.from('{}[]')];

const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9;

interface Container {
  readonly path: string;
  readonly isObject: boolean;
  /** Name of the next member, if it has been read. */
  key: string | undefined;
}

/**
 * Finds the values at some paths, such as `$.log.entries.*`, in a JSON text that arrives in chunks. Only these values
 * are parsed. In all other text, only brackets and quotes matter. A value stays in memory until its end arrives.
 */
export class JsonValues {
  readonly #paths: readonly string[];
  readonly #onValue: (path: string, value: unknown) => void;
  readonly #open: Container[] = [];
  #isEnded = false;
  /** Value that is being read: its path, whether it is wanted, and the number of open brackets. */
  #reading:
    | { readonly path: string | undefined; readonly isWanted: boolean; isString: boolean; depth: number }
    | undefined;
  #held: Buffer[] = [];
  /** Number of bytes in the next chunk that belong to an escape in this chunk. */
  #skip = 0;

  constructor(paths: readonly string[], onValue: (path: string, value: unknown) => void) {
    this.#paths = paths;
    this.#onValue = onValue;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Throws a `SyntaxError` if the examined parts are not JSON. */
  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#reading === undefined ? this.#structure(chunk, at) : this.#value(chunk, at);
  }

  /** Reads one byte between values and returns the next position. */
  #structure(chunk: Buffer, at: number): number {
    const byte = chunk[at];
    const container = this.#open.at(-1);
    if (isSpace(byte)) return at + 1;
    if (this.#isEnded) throw unexpected(byte);
    if (container !== undefined && (byte === closeObject || byte === closeArray)) {
      if (container.isObject !== (byte === closeObject)) throw unexpected(byte);
      this.#open.pop();
      this.#close();
      return at + 1;
    }
    if (container !== undefined && (byte === comma || byte === colon)) {
      if (byte === colon && container.key === undefined) throw unexpected(byte);
      return at + 1;
    }
    if (container?.isObject === true && container.key === undefined) {
      if (byte !== quote) throw unexpected(byte);
      this.#reading = { path: undefined, isWanted: true, isString: false, depth: 0 };
      return at;
    }
    const path = container === undefined ? '$' : `${container.path}.${container.key ?? '*'}`;
    const isOpening = byte === openObject || byte === openArray;
    if (isOpening && this.#paths.some((wanted) => wanted.startsWith(`${path}.`))) {
      this.#open.push({ path, isObject: byte === openObject, key: undefined });
      return at + 1;
    }
    this.#reading = { path, isWanted: this.#paths.includes(path), isString: false, depth: 0 };
    return at;
  }

  /** Reads a value up to its end or the end of the chunk, and returns the next position. */
  #value(chunk: Buffer, from: number): number {
    const reading = this.#reading;
    if (reading === undefined) return from;
    let at = from + this.#skip;
    this.#skip = 0;
    let { isString, depth } = reading;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (isString) {
        if (byte === backslash) at += 1;
        else if (byte === quote) {
          isString = false;
          if (depth === 0) return this.#end(chunk, from, at + 1);
        }
      } else if (byte === quote) isString = true;
      else if (byte === openObject || byte === openArray) depth += 1;
      else if (byte === closeObject || byte === closeArray) {
        if (depth === 0) return this.#end(chunk, from, at);
        depth -= 1;
        if (depth === 0) return this.#end(chunk, from, at + 1);
      } else if (depth === 0 && (byte === comma || isSpace(byte))) return this.#end(chunk, from, at);
    }
    this.#skip = at - chunk.length;
    Object.assign(reading, { isString, depth });
    if (reading.isWanted) this.#held.push(chunk.subarray(from));
    return chunk.length;
  }

  #end(chunk: Buffer, from: number, to: number): number {
    const { path, isWanted } = this.#reading ?? {};
    const whole = () => {
      const last = chunk.subarray(from, to);
      return this.#held.length === 0 ? last : Buffer.concat([...this.#held, last]);
    };
    const value: unknown = isWanted === true ? JSON.parse(whole().toString()) : undefined;
    this.#held = [];
    this.#reading = undefined;
    const container = this.#open.at(-1);
    if (path === undefined && container !== undefined) container.key = String(value);
    else {
      if (path !== undefined && isWanted === true) this.#onValue(path, value);
      this.#close();
    }
    return to;
  }

  /** Ends a value, so that its container expects the next one. */
  #close(): void {
    const container = this.#open.at(-1);
    if (container === undefined) this.#isEnded = true;
    else container.key = undefined;
  }
}

function unexpected(byte: number | undefined): SyntaxError {
  return new SyntaxError(`Unexpected '${String.fromCharCode(byte ?? 0)}'`);
}
