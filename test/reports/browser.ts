import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Common paths of Chromium. The environment variable `CHROMIUM` takes precedence. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of Chromium. Undefined if Chromium is not installed, so tests of pages are skipped. */
export const chromiumPath = [process.env.CHROMIUM, ...places].find((path) => path !== undefined && existsSync(path));

const disabled = ['background-networking', 'component-update', 'default-apps', 'sync'];
const unwanted = ['--no-first-run', '--no-default-browser-check'];

/** Starts Chromium without background activity. */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? places[0] ?? '',
    args: ['--no-sandbox', ...disabled.map((name) => `--disable-${name}`), ...unwanted, ...more],
  });
}

/** Actions that a report page must not perform. */
export interface Misdeeds {
  requests: string[];
  complaints: string[];
}

/** Opens a local file and records other requests, policy violations, errors and dialogs. */
export async function openPage(page: Page, path: string, hash = ''): Promise<Misdeeds> {
  const misdeeds: Misdeeds = { requests: [], complaints: [] };
  const url = `file://${path}${hash}`;
  page.on('request', (request) => {
    if (!request.url().startsWith(`file://${path}`)) misdeeds.requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misdeeds.complaints.push(message.text());
  });
  page.on('pageerror', (error) => misdeeds.complaints.push(error.message));
  page.on('dialog', (dialog) => {
    misdeeds.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return misdeeds;
}
