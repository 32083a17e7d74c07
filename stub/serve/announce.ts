import { type Role, roleMeanings } from '../../fixtures/roles.ts';
import { withoutUndefined } from '../../suites/json.ts';
import { controlPath, pagePath } from '../control/reply.ts';
import type { Stub } from '../index.ts';
import { mcpUrlOf } from '../mcp/load.ts';
import { variants as known, type Variants } from '../variants/conforming/index.ts';

/** A listening stub and its start options. */
interface Started {
  readonly stub: Stub;
  readonly baseUrl: string;
  /** Names of the selected variants. */
  readonly variants: readonly string[];
  readonly writeConfig: string | undefined;
  /** Whether the text lists the keys of all roles. */
  readonly keys?: boolean | undefined;
  readonly ui: boolean;
  /** Name of a profile, or path of a profile file. */
  readonly profile?: string | undefined;
  /** Whether the stub offers the tools over the Model Context Protocol. */
  readonly mcp?: boolean | undefined;
  /** Certificate file that clients must trust; absent without TLS. */
  readonly ca?: string | undefined;
}

/** Returns the URL and token of the control plane, or undefined if it is off. */
export function controlOf({ stub: { control }, baseUrl }: Pick<Started, 'stub' | 'baseUrl'>) {
  return control === null ? undefined : { url: new URL(controlPath, baseUrl).href, token: control.token };
}

/** Returns the URL of the page. The token is in the URL fragment, which browsers do not send. */
function pageOf(started: Pick<Started, 'stub' | 'baseUrl' | 'ui'>): string | undefined {
  const control = controlOf(started);
  return control && started.ui ? `${new URL(pagePath, started.baseUrl).href}#${control.token}` : undefined;
}

/** Returns how a configuration names the clock. `token` is the control token, or where the token is. */
export function clockOf<Token>({ control }: Pick<Stub, 'control'>, baseUrl: string, token: Token) {
  if (control === null) return undefined;
  return { advance: { url: new URL(control.path, baseUrl).href, headers: { [control.header]: token } } };
}

/** Returns the output of `--json`. */
export function inJson(started: Started): object {
  const { stub, baseUrl, variants, profile, ca } = started;
  const { keys, roles, workspaces, control } = stub;
  return {
    baseUrl,
    keys: Object.fromEntries(roles.map((role) => [role, keys[role]])),
    workspaces: workspaces.map(({ slug, board }) => ({ slug, board })),
    clock: clockOf(stub, baseUrl, control?.token) ?? null,
    ...withoutUndefined({
      control: controlOf(started),
      page: pageOf(started),
      mcp: started.mcp ? mcpUrlOf(baseUrl) : undefined,
      ca,
      variants: variants.length === 0 ? undefined : variants,
      profile,
    }),
  };
}

/** Returns which workspace a key uses if a request names none. */
function placeOf(stub: Stub, role: Role): string {
  const key = stub.state().keys.find((one) => one.role === role);
  const slug = key?.pin ?? key?.storedDefault ?? (key?.reach.length === 1 ? key.reach[0] : undefined);
  return slug === undefined ? '' : `uses ${slug}`;
}

export function inWords(started: Started): string {
  const { stub, baseUrl, variants, writeConfig } = started;
  const { keys, roles, workspaces, otherAccount, shape, control } = stub;
  const [first] = workspaces;
  const shown = roles.filter((role) => ['pinned', 'defaulted', 'sole'].includes(role));
  const row = (name: string, value: string, note = '') => `  ${name.padEnd(18)}${value}  ${note}`.trimEnd();
  const lines = [
    `Listening at ${baseUrl}`,
    '',
    row('Key', keys.primary),
    row('Workspace', first?.slug ?? ''),
    row('Board', first?.board ?? ''),
    row('Shape', shape),
    '',
    ...(started.keys === true
      ? [
          'Keys by role:',
          ...roles.flatMap((role) => [row(role, keys[role], placeOf(stub, role)), `      ${roleMeanings[role]}`]),
          '',
          'Workspaces, each with a board:',
          ...workspaces.map(({ slug, board }) => row(slug, board)),
          row(otherAccount.slug, otherAccount.board, 'for otherAccount only'),
        ]
      : [
          'Keys of other roles: add --keys or --json, or open the page of --ui.',
          `Without a workspace, ${shown.map((role) => `${role} ${placeOf(stub, role)}`).join(', ')}.`,
        ]),
  ];
  const trusted = started.ca === undefined ? '' : `--cacert '${started.ca}' `;
  const bearer = `-H 'Authorization: Bearer ${keys.primary}'`;
  const body = `-H 'content-type: application/json' -d '${JSON.stringify({ workspace: first?.slug })}'`;
  lines.push('', 'First request:', `  curl ${trusted}${bearer} ${body} ${baseUrl}/api/v1/tools/schedule.read`);
  if (variants.length > 0) {
    const about: Variants = known;
    const widest = Math.max(...variants.map(({ length }) => length));
    lines.push('', 'Conforming variants:', ...variants.map((name) => `  ${name.padEnd(widest)}  ${about[name]?.what}`));
  }
  if (started.profile !== undefined) lines.push('', 'Profile:', `  ${started.profile}`);
  const page = pageOf(started);
  if (page !== undefined) lines.push('', 'Page:', `  ${page}`);
  if (started.mcp === true) lines.push('', 'MCP, with a key as bearer token:', `  ${mcpUrlOf(baseUrl)}`);
  if (control !== null) {
    const header = `-H '${control.header}: ${control.token}'`;
    lines.push('', 'Advance the clock:');
    lines.push(`  curl -d '{"seconds": 60}' ${header} ${new URL(control.path, baseUrl).href}`);
    lines.push('', 'Judge the client:');
    lines.push(`  curl ${header} ${new URL(`${controlPath}worlds/main/judgement`, baseUrl).href}`);
  }
  if (started.ca !== undefined) lines.push('', 'Certificate to trust:', `  ${started.ca}`);
  if (writeConfig !== undefined) lines.push('', 'Test the stub:', `  tck run --config ${writeConfig}`);
  lines.push('', 'Stop with Ctrl-C.');
  return lines.join('\n');
}
