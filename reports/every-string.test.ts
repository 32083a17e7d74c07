import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import { type RunResult, statuses } from '../suites/result.ts';
import { addedUp, conclude } from '../suites/verdict.ts';
import { hostileTexts } from '../test/reports/hostile.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { comparisonMarkdown } from './compare/markdown.ts';
import { compareRuns } from './compare/model.ts';
import { comparisonHtml } from './compare/page.ts';
import { renderComparison } from './compare/terminal.ts';
import { ctrfJson } from './ctrf.ts';
import { githubAnnotations } from './github.ts';
import { reportHtml } from './html/page.ts';
import { causeLinesJson } from './json.ts';
import { junitXml } from './junit.ts';
import { loadReport } from './load.ts';
import { summaryMarkdown } from './markdown.ts';
import { reportOf } from './report.ts';
import { scriptsOf } from './script.ts';
import { renderSummary } from './terminal/summary.ts';

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

/** A report with a requirement of each status, whose conclusions are consistent. */
function filledReport(text: string): unknown {
  const run = filled({ type: 'object', properties }, text) as RunResult; // the loader validates it
  const requirements = run.requirements.flatMap((one) =>
    statuses.map((status) => ({ ...one, id: `${status}.${one.id}`, status })),
  );
  const { interrupted, trouble, summary } = run;
  return { ...run, requirements, ...conclude({ requirements, interrupted, trouble, counts: addedUp([summary]) }) };
}

const folder = temporaryFolder();
const look = { color: false, reportDir: 'tck-report', written: true };
const texts = Object.entries(hostileTexts).filter(([name]) => name !== 'long' && name !== 'object');

test.each(texts)('no string of a report becomes markup or a command in any form: %s', async (name, text) => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(filledReport(text)));
  const run = await loadReport(file);
  const compared = compareRuns([run, run, { ...run, requirements: [] }]);
  const markdown = [summaryMarkdown(reportOf(run)), comparisonMarkdown(compared)];
  const pages = [reportHtml(reportOf(run)), comparisonHtml(compared)].map((page) =>
    page.replace(/<(style|script)>.*?<\/\1>/gs, ''),
  );
  const forms = [
    ...markdown,
    ...pages,
    renderSummary(reportOf(run), look),
    renderComparison(compared, look),
    ctrfJson(reportOf(run)),
    junitXml(reportOf(run)),
    githubAnnotations(reportOf(run)),
    causeLinesJson(reportOf(run), { reportDir: 'tck-report', again: 'tck run' }),
    ...Object.values(scriptsOf(reportOf(run))),
  ];
  for (const form of forms) expect(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u.exec(form)).toBeNull();
  for (const page of pages) {
    expect(page).not.toContain('href="javascript:');
    const [unquoted = '', inTags = ''] = [page, (page.match(/<[^<>]*>/g) ?? []).join('').replace(/"[^"]*"/g, '')];
    expect(/<(img|iframe|script|object|base)\b/.exec(unquoted)?.[0]).toBeUndefined();
    expect(/ (on\w+|autofocus|style)\b/.exec(inTags)?.[0]).toBeUndefined();
  }
  for (const form of markdown) {
    const shown = micromark(form, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    expect(/.{60}<(img|script|style|h1|a |strong><em|del|!--).{60}/s.exec(shown)?.[0]).toBeUndefined();
  }
});
