import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import schema from '../../fixtures/report.schema.json' with { type: 'json' };
import { type RunResult, statuses } from '../../suites/result.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';

/** Texts with which a server can try to attack a report or a terminal. */
export const hostileTexts: Readonly<Record<string, string>> = {
  script: '<script>window.obeyed = 1</script></script><img src=x onerror="window.obeyed = 1">',
  attribute: `" onfocus="window.obeyed = 1" autofocus x='`,
  style: '</style><style>* { display: none }</style>',
  link: '[x](javascript:window.obeyed=1) <javascript:window.obeyed=1> www.example.test http://example.test @everyone',
  scheme: 'javascript:window.obeyed=1',
  markdown: '\n# big\n\n| a | b |\n|---|---|\n```\n</details>\n***x*** ~~y~~ $\\alpha$ <!-- ',
  xml: ']]> <![CDATA[ &amp; &bogus; <?x ?> <!DOCTYPE y>',
  escapes: '\u001b[2J\u001b]0;title\u0007\u001b[31m\u009b31m\r\b\u0000',
  bidi: '\u202egnp.exe\u2066\u2069\u200b\ufeff\u{e0041}',
  surrogates: 'a\ud800b\udc00c\uffffd',
  object: '{"__proto__":{"isEscaped":true},"isEscaped":true}',
  long: '60 KB '.repeat(10_000),
};

interface Node {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  pattern?: string;
  properties?: Record<string, Node>;
  items?: Node;
  minItems?: number;
  minimum?: number;
}

const definitions: Record<string, Node> = schema.$defs as Record<string, Node>; // a schema has many forms of nodes
const properties: Record<string, Node> = schema.properties as Record<string, Node>;

/** A value with every member of the schema, and with the text as each string that the schema leaves open. */
function filled(node: Node, text: string): unknown {
  if (node.$ref?.startsWith('#/properties/')) return filled(properties[node.$ref.slice(13)] ?? {}, text);
  if (node.$ref !== undefined) return filled(definitions[node.$ref.replace('#/$defs/', '')] ?? {}, text);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf !== undefined) return filled(node.anyOf[0] ?? {}, text);
  if (node.pattern !== undefined) return node.pattern.startsWith('^https') ? 'https://a.test/' : '2030-01-01T00:00:00Z';
  const [type = 'string'] = [node.type ?? (node.properties === undefined ? 'string' : 'object')].flat();
  if (type === 'object') {
    return Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, each]) => [name, filled(each, text)]));
  }
  if (type === 'array')
    return Array.from({ length: Math.max(1, node.minItems ?? 1) }, () => filled(node.items ?? {}, text));
  if (type === 'integer' || type === 'number') return Math.max(1, node.minimum ?? 1);
  return type === 'boolean' ? true : text;
}

/** A run with a requirement of each status, and with a text as every string that is not fixed. */
export function hostileRun(text: string): RunResult {
  const run = filled({ type: 'object', properties }, text) as RunResult; // the loader validates it
  const requirements = run.requirements.flatMap((one) =>
    statuses.map((status) => ({ ...one, id: `${status}.${one.id}`, status })),
  );
  const { interrupted, trouble, summary } = run;
  return { ...run, requirements, ...conclude({ requirements, interrupted, trouble, counts: addedUp([summary]) }) };
}

/** The HTML that GitHub would show for Markdown. */
export const rendered = (markdown: string) =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
