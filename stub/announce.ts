import { type DialectName, dialectOf } from '../fixtures/dialects.ts';
import { roleMeanings } from '../fixtures/roles.ts';
import { controlPath, pagePath } from './control/paths.ts';
import type { StubCore } from './core.ts';

/** A stub that listens, and what it was started with. */
export interface Started {
  readonly stub: StubCore;
  readonly baseUrl: string;
  readonly dialects: readonly DialectName[];
  readonly writeConfig: string | undefined;
  readonly ui: boolean;
}

/** Where the control plane is, and what opens it; null where there is none. */
export function controlOf({ stub: { control }, baseUrl }: Pick<Started, 'stub' | 'baseUrl'>) {
  return control === null ? null : { url: new URL(controlPath, baseUrl).href, token: control.token };
}

/** Where the page is. The token stands behind the `#`, which no browser sends anywhere. */
export function pageOf(started: Pick<Started, 'stub' | 'baseUrl' | 'ui'>): string | null {
  const control = controlOf(started);
  return control === null || !started.ui ? null : `${new URL(pagePath, started.baseUrl).href}#${control.token}`;
}

/** The one line of `--json`. */
export function inJson(started: Started): object {
  const { stub, baseUrl, dialects } = started;
  const { keys, roles, workspaces, control } = stub;
  const [controlled, page] = [controlOf(started), pageOf(started)];
  const clock =
    control === null
      ? null
      : { advance: { url: new URL(control.path, baseUrl).href, headers: { [control.header]: control.token } } };
  return {
    baseUrl,
    keys: Object.fromEntries(roles.map((role) => [role, keys[role]])),
    workspaces,
    clock,
    ...(controlled === null ? {} : { control: controlled }),
    ...(page === null ? {} : { page }),
    ...(dialects.length === 0 ? {} : { dialects }),
  };
}

export function inWords(started: Started): string {
  const { stub, baseUrl, dialects, writeConfig } = started;
  const { keys, roles, workspaces, otherAccount, control } = stub;
  const row = (name: string, value: string, note = '') => `  ${name.padEnd(18)}${value}  ${note}`.trimEnd();
  const lines = [
    `Listening at ${baseUrl}`,
    '',
    'Keys, by the role they play:',
    ...roles.map((role) => row(role, keys[role], roleMeanings[role])),
    '',
    'Workspaces, each with one of its boards:',
    ...workspaces.map(({ slug, board }) => row(slug, board)),
    row(otherAccount.slug, otherAccount.board, 'reached by otherAccount only'),
  ];
  if (dialects.length > 0) {
    const widest = Math.max(...dialects.map(({ length }) => length));
    lines.push(
      '',
      'Dialects, all of them conforming:',
      ...dialects.map((name) => `  ${name.padEnd(widest)}  ${dialectOf(name).what}`),
    );
  }
  const page = pageOf(started);
  if (page !== null) lines.push('', 'The page:', `  ${page}`);
  if (control !== null) {
    const header = `-H '${control.header}: ${control.token}'`;
    lines.push('', 'The clock moves with:');
    lines.push(`  curl -d '{"seconds": 60}' ${header} ${new URL(control.path, baseUrl).href}`);
    lines.push('', 'What the client did, and how it is judged:');
    lines.push(`  curl ${header} ${new URL(`${controlPath}worlds/main/judgement`, baseUrl).href}`);
  }
  if (writeConfig !== undefined) lines.push('', `Ready for: tck run --config ${writeConfig}`);
  lines.push('', 'Stop it with Ctrl-C.');
  return lines.join('\n');
}
