import type { StubResponse } from '../exchange.ts';

/** The page. */
export const page: StubResponse = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '' };
