import { printableLines } from '../../reports/plain.ts';

export type Stream = NodeJS.WritableStream & { isTTY?: boolean };

/**
 * Colours, and what the live display does: to lines above, to whole lines, to the cursor's visibility. Elsewhere the
 * kit writes no control character but line feeds.
 */
const controlSequence = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:[\\d;]*m|\\d*[AGK]|\\?(?:25|2026)[hl]))`);

/**
 * The stream that every text of a command goes through: secrets are taken out, and control characters are shown as
 * placeholders. A terminal still gets the control sequences of the kit itself.
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
