import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
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
    readonly call: (tool: string, args?: object) => Promise<{ confirmation_id: string; code?: string }>;
  }

  /** Runs `work` with a stub and its page. By default, the URL contains the token. */
  async function opened(work: (open: Open) => Promise<void>, token = (own: string) => `#${own}`): Promise<void> {
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
    const call = async (tool: string, args: object = {}) => {
      const headers = { authorization: `Bearer ${stub.keys.primary}`, 'content-type': 'application/json' };
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

  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

  const request = (stub: Stub) => ({
    board: stub.workspaces[0]?.board,
    brief: '<img src=x onerror=alert(1)>',
    count: 2,
    shape: '1:1',
  });

  test('what a client does appears as it happens, and a person approves here', async () => {
    await opened(async ({ stub, page, complaints, call }) => {
      await page.locator('main').waitFor();
      await call('schedule.read');
      await page.locator('#journal tr', { hasText: 'schedule.read' }).waitFor();
      expect(await page.locator('#speakers tr').textContent()).toBe('primarynorth1schedule.read');
      expect(page.url()).not.toContain(stub.control?.token ?? 'no token');

      const { confirmation_id } = await call('images.generate', request(stub));
      const card = page.locator('.proposal');
      expect(await card.locator('.summary').textContent()).toContain('<img src=x onerror=alert(1)>');
      expect(await card.locator('.countdown').textContent()).toMatch(
        new RegExp(`^(${limits.confirmation.about}:00|${limits.confirmation.about - 1}:5\\d)$`),
      );
      await card.getByRole('button', { name: 'Approve' }).click();
      await card.locator('.said', { hasText: 'approved' }).waitFor();
      expect(stub.attended()).toBe(true);
      await page.locator('#journal .person', { hasText: 'approved' }).waitFor();

      await call('images.generate', { ...request(stub), confirmation_id });
      await tab(page, 'Credits');
      await page.locator('#credits li', { hasText: 'in the account of primary, with ambiguous' }).waitFor();
      await page.locator('#done', { hasText: '1 run with 2 images, 8 credits charged' }).waitFor();
      await tab(page, 'Client');
      const rule = page.locator('[data-rule="client-confirmations.approved"].passed');
      expect(await rule.textContent()).toContain('A client MUST');
      expect(await page.locator('.proposal').count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  test('no column of the journal is cut off at 1280 pixels, nor of the requests by role', async () => {
    await opened(async ({ page, call }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.locator('main').waitFor();
      await call('content.create_request');
      await call('no_tool_of_this_name');
      await page.locator('#journal summary').nth(1).click();
      for (const section of ['.journal', '.speakers']) {
        const hidden = await page.locator(section).evaluate((one) => one.scrollWidth - one.clientWidth);
        expect(hidden, section).toBe(0);
      }
    });
  });

  test('base URL, keys and a first request are there to copy, and the request works', async () => {
    await opened(async ({ stub, page }) => {
      await page.locator('main').waitFor();
      const baseUrl = (await page.locator('#base-url code').textContent()) ?? '';
      const command = (await page.locator('#first-request code').textContent()) ?? '';
      const [, url = '', key = '', body = ''] =
        /^curl -X POST (\S+) -H 'Authorization: Bearer (\S+)' -d '(.*)'$/.exec(command) ?? [];
      expect(url).toBe(`${baseUrl}/api/v1/tools/schedule.read`);
      const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body });
      expect(await response.json()).toMatchObject({ ok: true });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByText('Keys and workspaces').click();
      await page.getByRole('button', { name: 'Copy the key of sole' }).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(stub.keys.sole);
    });
  });

  test('all that waits is approved at once; tabs follow the arrow keys', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      await call('images.generate', request(stub));
      await page.locator('.proposal').nth(1).waitFor();
      await page.getByRole('button', { name: 'Approve all' }).click();
      await page.locator('.said', { hasText: 'approved' }).nth(1).waitFor();
      expect(stub.state().proposals.map(({ person }) => person)).toEqual(['approved', 'approved']);
      await page.getByRole('tab', { name: 'Approvals' }).focus();
      await page.keyboard.press('ArrowLeft');
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Credits');
      expect(await page.locator('#accounts').isVisible()).toBe(true);
    });
  });

  test('the clock, faults and switches are moved from the page', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      await page.locator('.proposal').waitFor();
      await tab(page, 'Clock');
      await page.getByRole('button', { name: `+${limits.confirmation.about + 1} min` }).click();
      await page.locator('#proposals', { hasText: 'No proposal waits' }).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      expect(stub.clock.frozen()).toBe(true);

      await tab(page, 'Faults');
      await page.getByLabel('The next request to').selectOption('credits.balance');
      await page.getByLabel('is').selectOption('503');
      await page.getByRole('button', { name: 'Queue' }).click();
      await page.locator('#faults li', { hasText: '"status":503' }).waitFor();
      await call('credits.balance');
      await page.locator('#met', { hasText: '1 fault met' }).waitFor();
      await page.locator('#journal tr', { hasText: '(fault 1)' }).waitFor();

      await tab(page, 'Keys');
      await page.locator('#switch').getByLabel('Key of').selectOption('primary');
      await page.locator('#switch').getByLabel('to').selectOption('revoke the key');
      await page.getByRole('button', { name: 'Switch' }).click();
      await page.locator('#keys tr', { hasText: 'revoked' }).nth(1).waitFor();
      expect(await call('credits.balance')).toMatchObject({ error: {} });

      await tab(page, 'Approvals');
      await page.getByLabel('Workspace that the person picks').fill('south');
      await page.getByRole('button', { name: 'Pick' }).click();
      await page.locator('#journal .person', { hasText: 'picked south' }).waitFor();
      await page.getByRole('button', { name: 'Reset the sandbox' }).click();
      await page.locator('#journal tr').first().waitFor({ state: 'detached' });
      expect(stub.stats.requests()).toBe(0);
    });
  });

  test('with the keyboard alone: whoever approves stays where that was, also when the proposal goes', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      const { confirmation_id } = await call('images.generate', request(stub));
      const approve = page.getByRole('button', { name: 'Approve', exact: true });
      await approve.focus();
      await page.keyboard.press('Enter');
      await page.locator('.said', { hasText: 'approved' }).waitFor();
      const focused = () => page.evaluate('document.activeElement.textContent.slice(0, 23)');
      expect(await focused()).toBe('Approve');
      // Another proposal changes the length of the list.
      await call('images.generate', request(stub));
      await page.locator('.proposal').nth(1).waitFor();
      expect(await focused()).toBe('Approve');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.locator('.said', { hasText: 'denied' }).waitFor();
      expect(await focused()).toBe('Deny');
      await call('images.generate', { ...request(stub), confirmation_id });
      await page.locator('.proposal').nth(1).waitFor({ state: 'detached' });
      expect(await focused()).toMatch(/^Approve all/);
    });
  });

  test('a proposal whose time is over goes by itself', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      await page.locator('.proposal').waitFor();
      await tab(page, 'Clock');
      await page.getByLabel('Minutes').fill(String(limits.confirmation.about - 2 / 60));
      await page.getByRole('button', { name: 'Advance' }).click();
      await tab(page, 'Approvals');
      await page.locator('#proposals', { hasText: 'No proposal waits' }).waitFor({ timeout: 8000 });
    });
  });

  test('pins and defaults are set from the page', async () => {
    await opened(async ({ stub, page }) => {
      await page.locator('main').waitFor();
      await tab(page, 'Keys');
      const place = page.locator('#place');
      const set = async (what: string, workspace: string) => {
        await place.getByLabel('Key of').selectOption('defaulted');
        await place.getByLabel('has the').selectOption(what);
        await place.getByLabel('workspace').fill(workspace);
        await place.getByRole('button').click();
      };
      await set('pin', 'south');
      await page.locator('#keys tr', { hasText: 'defaulted' }).filter({ hasText: 'pin south' }).waitFor();
      await set('pin', '');
      await set('storedDefault', 'south');
      await page.locator('#keys tr', { hasText: 'default south' }).waitFor();
      await set('pin', 'nowhere');
      await page.locator('#problem', { hasText: "does not reach 'nowhere'" }).waitFor();
      expect(stub.state().keys.find(({ role }) => role === 'defaulted')).toMatchObject({
        pin: null,
        storedDefault: 'south',
      });
    });
  });

  test('what is wrong is said, and a click on a proposal that is gone does no harm', async () => {
    await opened(async ({ stub, page }) => {
      await page.locator('main').waitFor();
      await tab(page, 'Clock');
      await page.getByLabel('Minutes').fill('99999999999');
      await page.getByRole('button', { name: 'Advance' }).click();
      await page.locator('#problem', { hasText: 'forward only' }).waitFor();
      expect(stub.clock.now()).toBeLessThan(Date.now() + 1000);
    });
  });

  test('another world is watched by its name', async () => {
    await opened(async ({ stub, page }) => {
      await page.locator('main').waitFor();
      const world = stub.mint();
      await world.fetch(`${world.baseUrl}/api/v1/tools/library.search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.keys.sole}` },
      });
      await page.locator('#world').focus();
      await page.locator('#world option', { hasText: world.id }).waitFor({ state: 'attached' });
      await page.locator('#world').selectOption(world.id);
      await page.locator('#journal tr', { hasText: 'library.search' }).waitFor();
      stub.drop(world);
      await page.locator('#connection', { hasText: 'Connection lost' }).waitFor();
      await page.locator('#problem', { hasText: 'There is no such sandbox' }).waitFor();
    });
  });

  test('without the token nothing is shown; a wrong one is told, a right one opens', async () => {
    await opened(
      async ({ stub, page }) => {
        await page.locator('#problem', { hasText: 'control token' }).waitFor();
        expect(await page.locator('main').isVisible()).toBe(false);
        await page.getByLabel('Control token').fill(stub.control?.token ?? '');
        await page.getByRole('button', { name: 'Open' }).click();
        await page.locator('main').waitFor();
      },
      () => '',
    );
    await opened(
      async ({ page }) => {
        await page.locator('#problem', { hasText: 'does not carry the control token' }).waitFor();
        expect(await page.locator('main').isVisible()).toBe(false);
      },
      () => '#wrong',
    );
  });

  test('axe finds nothing, in light and in dark, wide and narrow', async () => {
    await opened(async ({ stub, page, call }) => {
      await page.locator('main').waitFor();
      await call('images.generate', request(stub));
      await call('no-such-tool');
      await page.locator('.proposal').waitFor();
      await page.locator('#judgement .failed').waitFor({ state: 'attached' });
      for (const [colorScheme, width] of [
        ['light', 1200],
        ['dark', 1200],
        ['light', 380],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        // The content security policy blocks other scripts, so axe is injected over the debugger protocol.
        await page.evaluate(axe);
        for (const each of await page.getByRole('tab').all()) {
          await each.click();
          const violations = await page.evaluate(
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes.map(({ html }) => html)))',
          );
          expect(violations).toEqual([]);
        }
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });
});
