import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { chromiumPath, type Misdeeds, openPage, startBrowser } from '../../test/reports/browser.ts';
import { hostileRun, hostileTexts } from '../../test/reports/hostile.ts';
import { allGreen, everyStatus, fortyFindings, oneFinding, readOnly } from '../../test/reports/scenarios.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { reportOf } from '../report.ts';
import { reportHtml } from './page.ts';

interface Axe {
  axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Accessibility violations: each rule with its first element. The page must bypass its content security policy. */
async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as Axe; // its script was added to the page
    const results = await axe.run({ rules: { 'target-size': { enabled: true } } });
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Elements and attributes that a report never contains. */
const foreignElements =
  'img, iframe, object, link, base, body style, script ~ *, a[href^="javascript"], [onerror], [onfocus], [autofocus]';

if (chromiumPath === undefined)
  console.warn('No Chromium: the pages are not tried in a browser (apt-get install chromium).');

describe.skipIf(chromiumPath === undefined)('the page in Chromium (needs Chromium)', () => {
  let browser: Browser;
  const folder = temporaryFolder();

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function written(html: string): Promise<string> {
    const path = join(folder, `${crypto.randomUUID()}.html`);
    await writeFile(path, html);
    return path;
  }

  async function opened(run: RunResult, hash = ''): Promise<{ page: Page; misdeeds: Misdeeds }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    return { page, misdeeds: await openPage(page, await written(reportHtml(reportOf(run))), hash) };
  }

  const visibleRows = (page: Page) => page.locator('details.requirement:visible').count();

  test.each([allGreen, oneFinding, fortyFindings, readOnly])(
    '%o: nothing is loaded, nothing complained of, nothing wider than the window, at three widths',
    async (scenario) => {
      const { page, misdeeds } = await opened(scenario());
      for (const width of [360, 820, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      expect(misdeeds).toEqual({ requests: [], complaints: [] });
      await page.close();
    },
  );

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing in the %s page of a run at %i pixels', async (colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    await page.goto(`file://${await written(reportHtml(reportOf(everyStatus())))}`);
    expect(await violations(page)).toEqual([]);
    for (const details of await page.locator('details').all()) {
      await details.evaluate((element) => element.setAttribute('open', ''));
    }
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  test('the bar filters by text, severity, status and topic; the address keeps the filter', async () => {
    const { page } = await opened(fortyFindings());
    const findings = () => page.locator('article.finding:visible').count();
    const all = { findings: await findings(), rows: await visibleRows(page) };
    const chip = page.locator('.chip', { hasText: 'security' });
    const security = Number(await chip.locator('b').textContent());
    await chip.click();
    await expect.poll(findings).toBe(security);
    expect(await page.locator('.index li:visible').count()).toBe(security);
    await page.getByRole('combobox').selectOption('authentication');
    await page.getByRole('searchbox').fill('401');
    await page.getByRole('checkbox', { name: /failed/ }).check();
    expect(page.url()).toMatch(/#\?q=401&topic=authentication&severity=security&status=failed$/);
    const left = { findings: await findings(), rows: await visibleRows(page) };
    expect(left.rows).toBeLessThan(all.rows);
    const told = `${left.findings} of ${all.findings} findings, ${left.rows} of ${all.rows} requirements`;
    expect(await page.locator('output').textContent()).toBe(told);

    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('401');
    expect(await page.locator('output').textContent()).toBe(told);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(findings).toBe(all.findings);
    await page.close();
  });

  test('an address and a link open what they lead to, also where the filter hid it', async () => {
    const { page } = await opened(fortyFindings());
    const last = page.locator('article.finding').last();
    const id = await last.getAttribute('id');
    await page.getByRole('searchbox').fill('no such text');
    await expect.poll(() => last.isVisible()).toBe(false);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#${id}`);
    await expect.poll(() => last.locator('details[open]').count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.activeElement?.closest('article')?.id)).toBe(id);
    await page.getByLabel('Topic').selectOption('credits');
    await expect.poll(() => visibleRows(page)).toBe(await page.locator('details[data-topic=credits]').count());
    await page.getByRole('button', { name: 'Clear' }).click();
    const link = page.locator('.finding p a').first();
    const target = page.locator(`[id="requirement-${await link.textContent()}"]`);
    await link.click();
    await expect.poll(() => target.getAttribute('open')).toBe('');
    await target.getByRole('link', { name: /^#/ }).first().click();
    await expect.poll(() => page.locator('.exchange-list details[open]').count()).toBe(1);
    await page.close();
  });

  test('the curl line is copied', async () => {
    const { page } = await opened(oneFinding());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('[data-copy]').first().click();
    await expect.poll(() => page.locator('[data-copy]').first().textContent()).toMatch(/Copied|Selected/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -sS -X POST/);
    await page.close();
  });

  test('a hostile server changes nothing but text', async () => {
    const page = await browser.newPage();
    for (const [name, text] of Object.entries(hostileTexts)) {
      const misdeeds = await openPage(page, await written(reportHtml(reportOf(hostileRun(text)))));
      await page.locator('details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      const obeyed = await page.evaluate(() => Reflect.get(globalThis, 'obeyed'));
      const foreign = await page.locator(foreignElements).count();
      const findings = await page.locator('article.finding').count();
      page.removeAllListeners();
      const good = { requests: [], complaints: [], obeyed: undefined, foreign: 0, findings: 1 };
      expect({ name, ...misdeeds, obeyed, foreign, findings }).toEqual({ name, ...good });
    }
    await page.close();
  });
});
