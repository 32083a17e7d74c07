import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Axe {
  axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Accessibility violations: each rule with its first element. The page must bypass its content security policy. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as Axe; // its script was added to the page
    const results = await axe.run({ rules: { 'target-size': { enabled: true } } });
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
