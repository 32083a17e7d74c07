import type { Call } from '../call.ts';
import { answering, around, code, type Deviation, error, fields, headers, skipping, status } from './patches.ts';

const refusedAs =
  (state: 'revoked' | 'expired') =>
  ({ key }: Call): boolean =>
    key?.state === state;

const bodyIs = (call: Call, text: string): boolean =>
  call.request.body !== null && Buffer.from(call.request.body).toString('utf8').trim() === text;

/** Deviations before a tool runs: envelopes, headers, keys, surfaces, names, bodies, the cap. */
export const boundaryDefects = {
  'refusal-without-message': answering(code('workspace_ambiguous'), fields({ message: undefined })),
  'boundary-error-with-status': answering(
    status(404),
    error((given) => ({ ...given, status: 404 })),
  ),
  'beta-header-missing-on-401': answering(status(401), headers({ 'x-service-api': undefined })),
  'board-not-found-as-boundary': answering(code('board_not_found'), headers({ 'x-service-tool-error': 'true' })),
  'expired-key-is-told': answering(
    (answer, call) => answer.status === 401 && refusedAs('expired')(call),
    error((given) => ({ ...given, message: 'This key has expired.' })),
  ),
  'revoked-key-still-reads-credits': around('authenticate', (authenticate) => (call) => {
    const answer = authenticate(call);
    return call.tool === 'credits.balance' && refusedAs('revoked')(call) ? undefined : answer;
  }),
  'any-scheme-will-do': around('authenticate', (authenticate) => (call) => {
    const { authorization } = call.request.headers;
    const secret = typeof authorization === 'string' ? authorization.split(' ').at(-1) : undefined;
    const answer = authenticate(call);
    if (answer === undefined || secret === undefined || !authorization?.includes(' ')) return answer;
    call.key = call.state.keys.get(secret);
    return call.key?.state === 'live' ? undefined : answer;
  }),
  'capability-not-asked-on-library-get': skipping(
    'surface',
    ({ tool, key }) => tool === 'library.get' && key?.capability === false,
  ),
  'one-code-for-closed-surfaces': answering(
    status(403),
    error((given) => ({ ...given, code: 'tenant_mcp.surface_disabled' })),
  ),
  'unknown-tool-named-in-404': answering(
    status(404),
    error((given, call) => ({ ...given, message: `There is no tool ${call.toolName}.` })),
  ),
  'empty-array-is-no-body': skipping('readBody', (call) => bodyIs(call, '[]')),
  'null-is-no-body': skipping('readBody', (call) => bodyIs(call, 'null')),
  'first-bad-field-only': answering(code('invalid_arguments'), (answer, call) => {
    const { issues } = answer.body;
    return fields({ issues: Array.isArray(issues) ? issues.slice(0, 1) : issues })(answer, call);
  }),
  'wait-too-short': answering(status(429), (answer, call) => {
    const half = String(Math.ceil(Number(answer.headers['retry-after']) / 2));
    const shorter = error((given) => ({ ...given, retry_after_seconds: Number(half) }))(answer, call);
    return headers({ 'retry-after': half })(shorter, call);
  }),
  'cap-per-tool': (rules) => ({
    ...rules,
    rate: { ...rules.rate, bucket: (call) => `${rules.rate.bucket(call)} ${call.toolName}` },
  }),
  'cap-per-account': (rules) => ({
    ...rules,
    rate: { ...rules.rate, bucket: (call) => call.key?.account ?? '' },
  }),
} as const satisfies Readonly<Record<string, Deviation>>;
