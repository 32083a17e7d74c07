import { type Answering, type Attacks, everyText, responseText } from './wire.ts';

/** A text in a form in which a key may come back. Written here once more, so that a mistake of the kit is not repeated by its test. */
export const keyForms: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'in upper case': (key) => key.toUpperCase(),
  'in lower case': (key) => key.toLowerCase(),
  'in base64': (key) => Buffer.from(key).toString('base64'),
  'in base64url': (key) => Buffer.from(key).toString('base64url'),
  'in base64 behind one byte': (key) => Buffer.from(`x${key}`).toString('base64').slice(2),
  'in base64 behind two bytes': (key) => Buffer.from(`xx${key}`).toString('base64').slice(3),
  'in base64 with its scheme': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
  'in hexadecimal digits': (key) => Buffer.from(key).toString('hex'),
  'in hexadecimal capitals': (key) => Buffer.from(key).toString('hex').toUpperCase(),
  'percent-encoded': (key) => escaped(key, (code) => `%${code.toString(16).padStart(2, '0').toUpperCase()}`),
  'percent-encoded in lower case': (key) => escaped(key, (code) => `%${code.toString(16).padStart(2, '0')}`),
  'in escapes of JSON': (key) => escaped(key, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'in capital escapes of JSON': (key) =>
    escaped(key, (code) => `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`),
  'in HTML entities': (key) => escaped(key, (code) => `&#${code};`),
  'in hexadecimal HTML entities': (key) => escaped(key, (code) => `&#x${code.toString(16)};`),
  'in base64 twice': (key) => Buffer.from(Buffer.from(key).toString('base64')).toString('base64'),
  'in base64 of hexadecimal digits': (key) => Buffer.from(Buffer.from(key).toString('hex')).toString('base64'),
  'percent-encoded base64': (key) => encodeURIComponent(Buffer.from(key).toString('base64')),
  'in its first half': (key) => key.slice(0, key.length / 2),
  'in its second half': (key) => key.slice(key.length / 2),
  'in twelve characters of its middle': (key) => key.slice(key.length / 2 - 6, key.length / 2 + 6),
};

function escaped(text: string, written: (code: number) => string): string {
  return Array.from(text, (letter) => written(letter.charCodeAt(0))).join('');
}

const echoing =
  (form: (key: string) => string): Answering =>
  (socket, good, asked) => {
    if (asked.key === '') socket.write(responseText(good));
    else socket.write(responseText({ ...good, ...echo(good, form(asked.key)) }));
  };

/** In every text, as the name of a member, and in headers. */
function echo({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }, text: string) {
  const told = everyText(JSON.parse(body), (each) => `${each} ${text}`) as object;
  return {
    headers: { ...headers, 'x-echo': text, 'content-type': `application/json; key="${text}"`, location: text },
    body: JSON.stringify({ ...told, run_id: text, runId: text, id: text, code: text, [text]: text }),
  };
}

/** Responses that repeat the key. */
export const keys: Attacks = Object.fromEntries(
  Object.entries(keyForms).map(([name, form]) => [`the key ${name}`, echoing(form)]),
);
