import { printableLines } from '../../reports/plain.ts';

export type Stream = NodeJS.WritableStream & { isTTY?: boolean };

/**
 * Control sequences of the kit: colors, cursor movement, erased lines and hidden cursor. The only other control
 * character that the kit writes is the line feed.
 */
const controlSequence = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:[\\d;]*m|\\d*[AGK]|\\?(?:25|2026)[hl]))`);

/**
 * A stream that replaces secrets and control characters in everything that a command prints. A terminal still gets the
 * control sequences of the kit itself.
 */
export function outletTo(stream: Stream, redact: (text: string) => string): Stream {
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    stream.write(typeof chunk === 'string' ? safe(redact(chunk), stream.isTTY === true) : chunk, ...rest);
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function safe(text: string, isTerminal: boolean): string {
  if (!isTerminal) return printableLines(text);
  const parts = text.split(controlSequence);
  return parts.map((part, index) => (index % 2 === 1 ? part : printableLines(part))).join('');
}
