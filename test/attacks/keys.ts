import { forms } from '../forms.ts';
import { type Answering, type Attacks, everyText, responseText } from './wire.ts';

const written = Object.fromEntries(forms.map(({ name, of }) => [name, of]));
const inForm = (name: string, text: string) => written[name]?.(text) ?? text;

/** Nested forms and parts of keys. */
const more: Readonly<Record<string, (key: string) => string>> = {
  'in base64 twice': (key) => inForm('base64', inForm('base64', key)),
  'in base64 of hexadecimal digits': (key) => inForm('base64', inForm('hex', key)),
  'percent-encoded in base64 with its scheme': (key) => inForm('percent-all', inForm('base64-bearer', key)),
  'in escapes of JSON, percent-encoded': (key) => inForm('percent-all', inForm('json-unicode-all', key)),
  'in upper case in base64': (key) => inForm('base64', key.toUpperCase()),
  'in its first half': (key) => key.slice(0, key.length / 2),
  'in its second half': (key) => key.slice(key.length / 2),
  'in twelve characters of its middle': (key) => key.slice(key.length / 2 - 6, key.length / 2 + 6),
  'in a part in base64': (key) => inForm('base64', key.slice(4, 34)),
};

/** Forms in which a server may send a key back. */
export const keyForms: Readonly<Record<string, (key: string) => string>> = {
  ...Object.fromEntries(forms.map(({ what, of }) => [what, of])),
  ...more,
};

const echoing =
  (form: (key: string) => string): Answering =>
  (socket, good, asked) => {
    if (asked.key === '') socket.write(responseText(good));
    else socket.write(responseText({ ...good, ...echo(good, form(asked.key)) }));
  };

/** Adds a text to every text, as the name of a member, and to headers. */
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
