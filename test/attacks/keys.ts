import { forms } from '../forms.ts';
import { type Answering, type Attacks, everyText, responseText } from './wire.ts';

/** Forms in which a server may send a key back. */
export const keyForms: Readonly<Record<string, (key: string) => string>> = Object.fromEntries(
  forms.map(({ what, of }) => [what, of]),
);

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
