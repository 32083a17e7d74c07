import { expect, test } from 'vitest';
import { createStub, type Stub } from '../index.ts';
import { page as served } from './page.ts';

test('the page is served without the token, but not to pages of other sites, and without the option not at all', () => {
  const stub = createStub({ control: true, page: served });
  const get = (headers: Record<string, string>, from: Stub = stub) =>
    from.handle({ method: 'GET', path: '/__control/ui', headers, body: null });
  expect(get({}).headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(get({ 'sec-fetch-site': 'cross-site' }).status).toBe(403);
  expect(get({ host: 'rebound.example.test' }).status).toBe(403);
  expect(get({}, createStub({ control: true })).status).toBe(401);
});
