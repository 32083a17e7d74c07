import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
import type { Role } from '../../fixtures/roles.ts';
import { chromiumPath, startBrowser } from '../../test/reports/browser.ts';
import type { Reply } from '../../test/stub/client.ts';
import { createStub, type Stub } from '../index.ts';
import { page as served } from './page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Without Chromium, the report lists these tests as skipped.
describe.skipIf(chromiumPath === undefined)('the page (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  interface Open {
    readonly stub: Stub;
    readonly page: Page;
    readonly complaints: string[];
    readonly call: (tool: string, args?: object, role?: Role) => Promise<{ confirmation_id: string; code?: string }>;
  }

  /** Runs `work` with a stub and its page. By default, the URL contains the token. */
  async function opened(work: (open: Open) => Promise<void>, token = (own: string) => `#${own}`) {
    await using stub = createStub({ control: true, page: served });
    const { origin, baseUrl } = await stub.listen();
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${origin}/__control/ui${token(stub.control?.token ?? '')}`);
    const call = async (tool: string, args: object = {}, role: Role = 'primary') => {
      const headers = { authorization: `Bearer ${stub.keys[role]}`, 'content-type': 'application/json' };
      const body = JSON.stringify(args);
      const answer = await fetch(`${baseUrl}/api/v1/tools/${tool}`, { method: 'POST', headers, body });
      return (await answer.json()) as Reply['body'];
    };
    try {
      await work({ stub, page, complaints, call });
    } finally {
      await context.close();
    }
  }

  const image = { brief: '<img src=x onerror=alert(1)>', count: 2, shape: '1:1' };
  const request = (stub: Stub) => ({ board: stub.workspaces[0]?.board, ...image });

  test('what a client does appears as it happens, and a person approves here', async () => {
    await opened(async ({ stub, page, complaints, call }) => {
      await page.locator('main').waitFor();
      await call('schedule.read');
      await page.locator('#journal tr', { hasText: 'schedule.read' }).waitFor();
      expect(page.url()).not.toContain(stub.control?.token ?? 'no token');

      const { confirmation_id } = await call('images.generate', request(stub));
      const card = page.locator('#proposals li');
      expect(await card.locator('.summary').textContent()).toContain('<img src=x onerror=alert(1)>');
      const { about } = limits.confirmation;
      expect(await card.locator('.countdown').textContent()).toMatch(new RegExp(`^(${about}:00|${about - 1}:5\\d)$`));
      await card.getByRole('button', { name: 'Approve' }).click();
      await card.locator('.decision', { hasText: 'approved' }).waitFor();
      await page.locator('#journal .person', { hasText: 'approved' }).waitFor();

      await call('images.generate', { ...request(stub), confirmation_id });
      await card.waitFor({ state: 'detached' });
      await page.locator('#journal tr', { hasText: 'images.generate' }).nth(1).waitFor();
      expect(complaints).toEqual([]);
    });
  });

  test('base URL, keys and a first request are there to copy, and the request works', async () => {
    await opened(async ({ stub, page }) => {
      await page.locator('main').waitFor();
      const baseUrl = (await page.locator('#base-url code').textContent()) ?? '';
      const command = (await page.locator('#first-request code').textContent()) ?? '';
      const [, key = '', body = '', url = ''] =
        /^curl -H 'Authorization: Bearer (\S+)' -H '.*' -d '(.*)' (\S+)$/.exec(command) ?? [];
      expect(url).toBe(`${baseUrl}/api/v1/tools/schedule.read`);
      const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body });
      expect(await response.json()).toMatchObject({ ok: true });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByText('Keys', { exact: true }).click();
      await page.getByRole('button', { name: 'Copy the key of sole' }).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(stub.keys.sole);
    });
  });

  test('the clock and faults are moved from the page, and a person picks a workspace', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      const proposal = page.locator('#proposals li');
      await proposal.waitFor();
      await page.getByRole('button', { name: 'Advance' }).click();
      await proposal.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      expect(stub.clock.frozen()).toBe(true);

      await page.getByLabel('The next request to').selectOption('credits.balance');
      await page.getByLabel('is').selectOption('answered with 503');
      await page.getByRole('button', { name: 'Queue' }).click();
      const fault = page.locator('#faults li', { hasText: '"status":503' });
      await fault.waitFor();
      await call('credits.balance');
      await page.locator('#journal tr', { hasText: '(fault 1)' }).waitFor();
      await fault.waitFor({ state: 'detached' });

      await call('schedule.read', {}, 'ambiguous');
      await page.getByRole('button', { name: 'south' }).click();
      await page.locator('#journal .person', { hasText: 'picked south' }).waitFor();
      expect(await page.locator('#choices button').count()).toBe(0);
    });
  });

  test('what is wrong is said, and after an interruption the page shows the journal again', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await page.getByLabel('Minutes').fill('99999999999');
      await page.getByRole('button', { name: 'Advance' }).click();
      await page.locator('#problem', { hasText: 'forward only' }).waitFor();
      expect(stub.clock.now()).toBeLessThan(Date.now() + 1000);
      await call('schedule.read');
      const rows = page.locator('#journal tr');
      await rows.waitFor();
      await page.context().setOffline(true);
      await rows.waitFor({ state: 'detached' });
      await page.context().setOffline(false);
      await rows.waitFor();
    });
  });

  test.each([
    ['', 'without the token'],
    ['#wrong', 'with a wrong token'],
  ])('%j: nothing is shown %s', async (hash) => {
    const hidden = async ({ page }: Open) => {
      await page.locator('#connection', { hasText: 'does not carry the control token' }).waitFor();
      expect(await page.locator('main').isVisible()).toBe(false);
    };
    await opened(hidden, () => hash);
  });

  test('axe finds nothing, in light and in dark, wide and narrow', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      await call('no-such-tool');
      await page.locator('#proposals li').waitFor();
      const looks = [['light', 1200] as const, ['dark', 1200] as const, ['light', 380] as const];
      for (const [colorScheme, width] of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        // The content security policy blocks other scripts, so axe is injected over the debugger protocol.
        await page.evaluate(axe);
        const violations = await page.evaluate(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes.map(({ html }) => html)))',
        );
        expect(violations).toEqual([]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });
});
