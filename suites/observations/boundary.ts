import { toolNames, toolPath, toolsPath } from '../../fixtures/contract/tools.ts';
import { type Answered, header, isRefusal } from '../exchange.ts';
import { member } from '../json.ts';
import { closedRoles } from '../scenes/closed.ts';
import { unknownToolName } from '../scenes/refusals.ts';
import { lowerCaseScheme, noCredential } from '../session/credentials.ts';
import { observation } from './observation.ts';
import { everything, noteEach, noteOutcomes, outcome, recorded, short } from './seen.ts';

const malformed = '{"workspace": ';
const toolError = 'x-service-tool-error';

const errorCode = (exchange: Answered) => short(member(exchange.answer.json, 'error', 'code'));
const withStatus = (exchanges: readonly Answered[], status: number) =>
  exchanges.filter(({ answer }) => answer.status === status);

/** The middle of several times, in whole milliseconds where they are long and tenths where they are not. */
function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 10) / 10;
}

/** Credentials whose answers ought not to be told apart by their time, as their labels name them. */
const badCredentials = ['no credential', 'unknown key', 'revoked', 'expired'];

/** Methods that the specification does not mention. */
export const otherMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const;

export const boundary = [
  observation({
    answers: ['authentication.code', 'surface.codes', 'unknown-tools.code', 'bodies.large-array'],
    run(t) {
      const all = recorded(t);
      noteEach(
        t,
        'authentication.code',
        withStatus(all, 401).map((each) => [errorCode(each), each]),
      );
      noteEach(
        t,
        'surface.codes',
        withStatus(all, 403).map((each) => [`${each.credential.label}: ${errorCode(each)}`, each]),
      );
      const unknown = withStatus(all, 404).filter(({ request }) => !toolNames.some((tool) => tool === request.tool));
      noteEach(
        t,
        'unknown-tools.code',
        unknown.map((each) => [errorCode(each), each]),
      );
      const large = all.filter(({ request }) => request.body?.startsWith('[0,0,'));
      noteEach(
        t,
        'bodies.large-array',
        large.map((each) => [outcome(each), each]),
      );
    },
  }),
  observation({
    answers: ['authentication.answer-times'],
    run(t) {
      const refused = withStatus(recorded(t), 401);
      for (const label of badCredentials) {
        const [first, ...more] = refused.filter(({ credential }) => credential.label === label);
        if (first === undefined) continue;
        t.observe(
          'authentication.answer-times',
          `${label}: ${median([first, ...more].map((each) => each.durationMs))} ms`,
          first,
        );
      }
    },
  }),
  observation({
    answers: ['headers.tool-error-on-4xx', 'headers.tool-error-on-invalid-arguments'],
    run(t) {
      const all = everything(t);
      const value = (exchange: Answered) => short(header(exchange, toolError) ?? 'absent');
      const boundaryErrors = all.filter(({ answer }) => answer.status >= 400 && answer.status < 500);
      noteEach(
        t,
        'headers.tool-error-on-4xx',
        boundaryErrors.map((each) => [`${each.answer.status}: ${value(each)}`, each]),
      );
      const invalid = all.filter((each) => isRefusal(each, 'invalid_arguments'));
      noteEach(
        t,
        'headers.tool-error-on-invalid-arguments',
        invalid.map((each) => [value(each), each]),
      );
    },
  }),
  observation({
    answers: ['authentication.scheme-case'],
    mostRequests: 1,
    async run(t) {
      const answer = await t.call('credits.balance', {}, { as: lowerCaseScheme(t.key('primary')) });
      t.observe('authentication.scheme-case', outcome(answer), answer);
    },
  }),
  observation({
    answers: ['order.body-or-credential', 'order.credential-or-tool'],
    needs: { roles: [] },
    mostRequests: 2,
    async run(t) {
      const as = noCredential;
      const body = await t.call('schedule.read', undefined, { as, body: malformed });
      t.observe('order.body-or-credential', outcome(body), body);
      const tool = await t.call(unknownToolName(t), {}, { as });
      t.observe('order.credential-or-tool', outcome(tool), tool);
    },
  }),
  observation({
    answers: ['order.surface-or-body', 'order.surface-or-tool'],
    needs: { roles: [] },
    mostRequests: 2,
    async run(t) {
      const [as] = closedRoles(t);
      if (as === undefined) return;
      const body = await t.call('schedule.read', undefined, { as, body: malformed });
      t.observe('order.surface-or-body', outcome(body), body);
      const tool = await t.call(unknownToolName(t), {}, { as });
      t.observe('order.surface-or-tool', outcome(tool), tool);
    },
  }),
  observation({
    answers: ['paths.other-methods'],
    mostRequests: 6,
    run(t) {
      const call = (method: string) => t.call('schedule.read', undefined, { method, odd: true });
      return noteOutcomes(
        t,
        'paths.other-methods',
        otherMethods.map((method) => [method, call(method)]),
      );
    },
  }),
  observation({
    answers: ['paths.other-paths'],
    mostRequests: 5,
    run(t) {
      const path = toolPath('schedule.read');
      const others = [toolsPath, toolsPath.slice(0, -1), `${path}/`, `${path}/more`, path.replace('.', '%2E')];
      const call = (other: string) => t.call('schedule.read', t.here(), { path: other, odd: true });
      return noteOutcomes(
        t,
        'paths.other-paths',
        others.map((other) => [other, call(other)]),
      );
    },
  }),
];
