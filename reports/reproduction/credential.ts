/** Literal text within double quotes in a shell. */
const literal = String.raw`[^"$\\\x60\n\r]|\\["\\]`;

/** A variable, optionally without its first characters or without its last character. */
const variable = String.raw`\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*(?::\d+|%\?)?\}`;

/** Filters for keys in curl commands of the kit. Scripts contain no other commands from a report. */
const filters = [
  'base64',
  String.raw`tr (?:-- )?(?:-d )?(?:'[^'\n]*'|=)(?: '[^'\n]*')?`,
  String.raw`(?:head|tail) -c \+?\d+`,
  String.raw`sed 's/\.=\*\$//'`,
].join('|');

const command = String.raw`\$\(printf %s "(?:[\w:]|${variable})*"(?: \| (?:${filters}))+\)`;

const copied = new RegExp(`^(?:${command}|${variable}|${literal})*$`);

/** Start of a curl command, up to the URL. */
const beginning = /^curl -sS -i -X [A-Z]+ (?=['"$])/;

/** The credential in a curl command. */
export interface CredentialWords {
  /** URL, if the URL contains the credential. */
  readonly url?: string;
  /** Headers in shell syntax for double quotes. */
  readonly headers: readonly string[];
  /** Variables that contain keys. */
  readonly variables: readonly string[];
}

/**
 * Extracts the credential from the curl command of an exchange. Undefined if the command does not have the exact form
 * that the kit writes, because a report can come from anyone.
 */
export function credentialOf(curl: string): CredentialWords | undefined {
  const [start] = beginning.exec(curl) ?? [];
  if (start === undefined) return undefined;
  const address = wordAt(curl, start.length);
  if (address === undefined) return undefined;
  const words: string[] = [];
  let at = address.end;
  while (curl.startsWith(' -H "', at)) {
    const word = wordAt(curl, at + ' -H '.length);
    if (word === undefined) return undefined;
    words.push(word.inner);
    at = word.end;
  }
  const url = curl[start.length] === '"' ? address.inner : undefined;
  const all = [...words, ...(url === undefined ? [] : [url])];
  if (!all.every((word) => copied.test(word))) return undefined;
  const variables = new Set(
    all.flatMap((word) => [...word.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name)),
  );
  return { ...(url === undefined ? {} : { url }), headers: words, variables: [...variables] };
}

/** A quoted word without its quotes, and the index after the word. */
function wordAt(line: string, start: number): { inner: string; end: number } | undefined {
  if (line[start] === '"') return doubleQuoted(line, start + 1);
  const [word] = /^(?:'[^']*'|\\'|\$'(?:[^'\\]|\\.)*')+/.exec(line.slice(start)) ?? [];
  return word === undefined ? undefined : { inner: word, end: start + word.length };
}

/** Ignores quotes within a command substitution. */
function doubleQuoted(line: string, start: number): { inner: string; end: number } | undefined {
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line.startsWith('$(', at)) depth += 1;
    else if (line[at] === ')' && depth > 0) depth -= 1;
    else if (line[at] === '"' && depth === 0) return { inner: line.slice(start, at), end: at + 1 };
  }
  return undefined;
}
