import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { type Attacks, headed, like } from './wire.ts';

const to = (status: number, where: (elsewhere: string) => string) =>
  like(({ headers }, { elsewhere }) => ({ status, headers: { ...headers, location: where(elsewhere) }, body: '' }));

/** Redirects that try to make clients send their key to another server. */
export const redirects: Attacks = {
  'a redirect 301 to another port': to(301, (elsewhere) => elsewhere),
  'a redirect 302 to another port': to(302, (elsewhere) => `${elsewhere}/api/v1/tools/schedule.read`),
  'a redirect 303 to another host': to(303, (elsewhere) => elsewhere.replace('127.0.0.1', 'localhost')),
  'a redirect 307 to another port': to(307, (elsewhere) => `${elsewhere}/api/v1/tools/schedule.read`),
  'a redirect 308 without scheme': to(308, (elsewhere) => elsewhere.replace('http:', '')),
  'a redirect to itself': to(307, () => '/api/v1/tools/schedule.read'),
  'a redirect to a file': to(302, () => 'file:///etc/passwd'),
  'a redirect with line breaks': to(302, (elsewhere) => `${elsewhere}/%0d%0ax: y`),
  'use of a proxy': to(305, (elsewhere) => elsewhere),
  'several choices': to(300, (elsewhere) => elsewhere),
  'headers that name another place': headed(({ elsewhere }) => ({
    location: elsewhere,
    'content-location': elsewhere,
    refresh: `0; url=${elsewhere}`,
    link: `<${elsewhere}>; rel=preload`,
    'alt-svc': `h2="${elsewhere.replace(/^http:\/\//, '')}"`,
    'x-accel-redirect': elsewhere,
    [responseHeaders.api]: elsewhere,
  })),
};
