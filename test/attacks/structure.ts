import { type Attacks, changed, everyText, json, like, withBody } from './wire.ts';

const nested = (open: string, close: string, levels: number) =>
  json(() => `{"ok":true,"items":${open.repeat(levels)}1${close.repeat(levels)}}`);

/** Bodies that break careless parsers: nesting, names, numbers, encodings, and text that is not JSON. */
export const structure: Attacks = {
  'arrays nested 100 000 deep': nested('[', ']', 100_000),
  'objects nested 20 000 deep': nested('{"a":', '}', 20_000),
  'arrays that never close': json(() => '['.repeat(1_000_000)),
  'nesting as deep as is read': nested('[', ']', 198),
  'names twice': json(() => `{${Array.from({ length: 9000 }, () => '"ok":true,"ok":false').join(',')}}`),
  'names of object prototypes': json(
    () =>
      '{"__proto__":{"ok":true},"ok":true,"constructor":{"prototype":1},"toString":1,"workspace":"__proto__",' +
      '"working_in":{"__proto__":{"label":"x"}},"items":[{"__proto__":null}],"issues":[{"__proto__":{"path":"x"}}],' +
      '"code":"__proto__"}',
  ),
  'object prototypes for names': changed((body) => everyText(body, () => '__proto__')),
  'numbers beyond counting': json(
    () =>
      '{"ok":true,"balance":1e999,"total":-1e999,"count":1e999,"status":"dispatched",' +
      '"run_id":"r","piece_id":1e999,"workspace":1e999,"items":[1e999]}',
  ),
  'numbers of a million digits': json(
    () => `{"ok":true,"balance":${'9'.repeat(1_000_000)},"total":0.${'1'.repeat(1_000_000)}}`,
  ),
  'every value a text': json(
    () =>
      '{"ok":"true","balance":"1","items":"x","hits":"x","days":"x","rows":"x",' +
      '"workspaces":"x","issues":"x","working_in":"x","confirmation_id":{"a":1},"run_id":[1]}',
  ),
  'every value null': changed((body) => Object.fromEntries(Object.keys(body).map((name) => [name, null]))),
  'NUL characters': json(
    () => '{"ok":true,"workspace":"no\\u0000rth","working_in":{"label":"\\u0000","note":"\u0000"},"run_id":"\\u0000"}',
  ),
  'half a surrogate': json(
    () => '{"ok":false,"code":"\\ud800","message":"\\udfff","workspaces":["\\ud800","\\udc00"]}',
  ),
  'half a surrogate in every text': changed((body) => everyText(body, (text) => `${text}\ud83d`)),
  'invalid UTF-8': (socket, { status, headers, body }) => {
    const bytes = Buffer.from(body.replace('"ok"', '"\u{1}"')).map((byte) => (byte === 1 ? 0xff : byte));
    socket.write(withBody(status, headers, Buffer.from(bytes)));
  },
  'UTF-16': (socket, { status, headers, body }) =>
    void socket.write(withBody(status, headers, Buffer.from(body, 'utf16le'))),
  'a byte order mark': like(({ body }) => ({ body: `\ufeff${body}` })),
  'a null': json(() => 'null'),
  'a list': json(() => '[{"ok":true}]'),
  'an empty body': like(() => ({ body: '' })),
  'half of the JSON': like(({ body }) => ({ body: body.slice(0, body.length / 2) })),
  'JSON twice': like(({ body }) => ({ body: body + body })),
  'a page': like(() => ({
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Welcome</title><script>alert(1)</script>',
  })),
  'JSON as another type': like(({ headers }) => ({
    headers: { ...headers, 'content-type': 'text/html; charset=utf-7' },
  })),
  'an event stream': like(({ body }) => ({
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${body}\n\n`,
  })),
};
