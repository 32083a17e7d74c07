const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Decodes escapes in pages, JSON and URLs, without any code of the kit's own redaction. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => text.replace(/&(\w+|#39);/g, (all, name: string) => entities[name] ?? all),
  (text) =>
    text.replace(/\\u([0-9a-f]{4})|\\(["/\\])/gi, (_all, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  (text) => text.replace(/%([2-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
];

/** Returns a function that finds a key in published texts, in any of the forms, with the name of each text. */
export function leaksOf(key: string): (texts: Readonly<Record<string, string>>) => string[] {
  const digits = ['', ':', '::'].map((before) =>
    Buffer.from(before + key)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(before === '' ? 0 : before.length + 1, -1),
  );
  const url = digits.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const sought = [key, ...digits, ...url, Buffer.from(key).toString('hex')].map((text) => text.toLowerCase());
  return (texts) =>
    Object.entries(texts).flatMap(([name, text]) => {
      const layers = new Set([text]);
      // Iterating a set also visits members added during the iteration.
      for (const layer of layers) for (const decode of decoders) layers.add(decode(layer));
      const folded = [...layers].map((layer) => layer.toLowerCase());
      return sought.filter((each) => folded.some((layer) => layer.includes(each))).map((each) => `${name}: ${each}`);
    });
}
