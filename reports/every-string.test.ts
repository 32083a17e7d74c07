import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'ctrf';
import { parse } from 'junit2json';
import { expect, test } from 'vitest';
import { hostileRun, hostileTexts, rendered } from '../test/reports/hostile.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { compareRuns } from './compare/model.ts';
import { renderComparison } from './compare/terminal.ts';
import { ctrfJson } from './ctrf.ts';
import { githubAnnotations } from './github.ts';
import { reportHtml } from './html/page.ts';
import { causeLinesJson, reportJson } from './json.ts';
import { junitXml } from './junit.ts';
import { loadReport } from './load.ts';
import { summaryMarkdown } from './markdown.ts';
import { reportOf } from './report.ts';
import { scriptsOf } from './script.ts';
import { renderSummary } from './terminal/summary.ts';

const folder = temporaryFolder();
const look = { color: false, reportDir: 'tck-report', written: true };

/** Elements that a summary can contain. */
const own = /^(h2|h3|h4|p|ul|ol|li|strong|code|pre|table|thead|tbody|tr|th|td|details|summary)$/;

test.each(Object.entries(hostileTexts))(
  'no string of a report becomes markup or a command in any form: %s',
  async (name, text) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(hostileRun(text)));
    const run = await loadReport(file);
    const report = reportOf(run);
    const compared = compareRuns([run, run, { ...run, requirements: [] }]);
    const markdown = [summaryMarkdown(report)];
    const pages = [reportHtml(report)];
    const [ctrf, junit] = [ctrfJson(report), junitXml(report)];
    const short = [
      ...[...markdown, ctrf, junit, renderSummary(report, look), renderComparison(compared, look)],
      ...[githubAnnotations(report), causeLinesJson(report, 'tck-report')],
      ...Object.values(scriptsOf(report)),
    ];
    // GitHub shows no longer summary.
    for (const form of short) expect(form.length).toBeLessThan(1024 ** 2);
    for (const form of [...short, ...pages, reportJson(report)])
      expect(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u.exec(form)).toBeNull();
    expect(junit).not.toContain('\uffff');
    for (const page of pages.map((each) => each.replace(/<(style|script)>.*?<\/\1>/gs, ''))) {
      expect(page).not.toContain('href="javascript:');
      const inTags = (page.match(/<[^<>]*>/g) ?? []).join('').replace(/"[^"]*"/g, '');
      expect(/<(img|iframe|script|object|base)\b/.exec(page)?.[0]).toBeUndefined();
      expect(/ (on\w+|autofocus|style)\b/.exec(inTags)?.[0]).toBeUndefined();
    }
    for (const html of markdown.map(rendered)) {
      for (const [, element = ''] of html.matchAll(/<\/?([a-zA-Z!?][\w-]*)/g)) expect(element).toMatch(own);
      expect(html.match(/<h2>/g)).toHaveLength(1);
      expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
    }
    expect(validate(JSON.parse(ctrf))).toMatchObject({ valid: true });
    expect(await parse(junit)).toMatchObject({ tests: run.requirements.length });
  },
);
