import type { Handle, StubRequest, StubResponse } from '../stub/server/handle.ts';

/** Adds a text to one place of a response. */
type Place = (response: StubResponse, text: string) => StubResponse;

const inBody =
  (change: (body: string, text: string) => string): Place =>
  (response, text) => ({ ...response, body: change(response.body, text) });

const asMember = (name: string, value: string) => (body: string) => body.replace('{', `{${name}:${value},`);

/**
 * Places of a response in which a server may repeat received text. The text is inserted unchanged, including its
 * escapes.
 */
export const places: Readonly<Record<string, Place>> = {
  'a member': inBody((body, text) => asMember('"x"', JSON.stringify(text))(body)),
  'a member, as it is': inBody((body, text) => asMember('"x"', `"${text}"`)(body)),
  'the name of a member': inBody((body, text) => asMember(JSON.stringify(text), 'true')(body)),
  'every text': inBody((body, text) => body.replace(/:"(?:[^"\\]|\\.)*"/g, () => `:${JSON.stringify(text)}`)),
  'a code': inBody((_body, text) =>
    JSON.stringify({ ok: false, code: text, message: `no ${text}`, workspaces: [text, 'b'] }),
  ),
  'an error': inBody((_body, text) => JSON.stringify({ error: { code: text, message: text, [text]: text } })),
  'a body that is no JSON': inBody((_body, text) => `<p>${text}</p> {"ok":`),
  'half a body': inBody((body, text) => `${body.slice(0, body.length / 2)}${text}`),
  'a header': (response, text) => ({ ...response, headers: { ...response.headers, 'x-echo': `a ${text}` } }),
  // Header names arrive in lower case, so text with capital letters would need another encoding.
  'the name of a header': (response, text) =>
    /^[a-z\d!#$%&'*+.^_`|~-]+$/.test(text)
      ? { ...response, headers: { ...response.headers, [`x-${text}`]: '1' } }
      : response,
};

/** Returns a server that accepts the key `given` in place of its own key. */
export function accepting(handle: Handle, given: string, own: string): Handle {
  return (request: StubRequest) => {
    const { authorization } = request.headers;
    const known = authorization === `Bearer ${given}` ? { authorization: `Bearer ${own}` } : {};
    return handle({ ...request, headers: { ...request.headers, ...known } });
  };
}

/** Returns a server that repeats texts, in another place of each response. The first responses stay unchanged. */
export function echoing(handle: Handle, next: () => string): Handle {
  const all = Object.values(places);
  let requests = 0;
  return (request: StubRequest) => {
    const response = handle(request);
    requests += 1;
    const place = all[requests % all.length];
    return requests < 4 || place === undefined ? response : place(response, next());
  };
}
