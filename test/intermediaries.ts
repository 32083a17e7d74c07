import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { httpServer, type Listener } from './network.ts';

const installed = (name: string) =>
  ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Undefined if the program is not installed. */
export const nginxPath = installed('nginx');
export const haproxyPath = installed('haproxy');

/** Port and folder for a configuration. */
interface Place {
  readonly port: number;
  readonly folder: string;
}

interface NginxOptions {
  /** Directives of the `http` block. */
  readonly http?: string;
  /** Directives of the `server` block. */
  readonly server?: string;
  /** Parameters of `listen`. */
  readonly listen?: string;
  /** Additional files in the folder, by name. nginx resolves them relative to its configuration. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts nginx in front of local ports, with nginx defaults unless the options change them. */
export function startNginx(upstreams: readonly number[], options: NginxOptions = {}): Promise<Listener> {
  const { http = '', server = '', listen = '', files = {} } = options;
  return start(nginxPath, files, ['-e', 'stderr', '-c'], ({ port, folder }) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    return `
      daemon off;
      pid ${join(folder, 'nginx.pid')};
      error_log stderr crit;
      events {}
      http {
        access_log off;
        ${temporary.join('\n')}
        upstream service { ${upstreams.map((upstream) => `server 127.0.0.1:${upstream};`).join(' ')} }
        ${http}
        server {
          listen 127.0.0.1:${port} ${listen};
          location / { proxy_pass http://service; }
          ${server}
        }
      }
    `;
  });
}

/** Starts HAProxy in front of a local port, with additional directives for its frontend. */
export function startHaproxy(upstream: number, ...directives: readonly string[]): Promise<Listener> {
  const configuration = ({ port }: Place) =>
    [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 30s',
      '  timeout server 30s',
      'frontend clients',
      `  bind 127.0.0.1:${port}`,
      ...directives,
      '  default_backend service',
      'backend service',
      `  server one 127.0.0.1:${upstream}`,
      '',
    ].join('\n');
  return start(haproxyPath, {}, ['-db', '-f'], configuration);
}

/** Starts a program with a configuration in a temporary folder and waits until its port accepts connections. */
async function start(
  path: string | undefined,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  configuration: (place: Place) => string,
): Promise<Listener> {
  if (path === undefined) throw new Error('the intermediary is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'tck-intermediary-'));
  // If root starts the program, its worker processes belong to another user.
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'configuration');
  await writeFile(file, configuration({ port, folder }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn(path, [...args, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await exited;
    }
    await rm(folder, { recursive: true });
  };
  for (let attempt = 0; !(await accepts(port)); attempt += 1) {
    if (child.exitCode === null && attempt < 200) {
      await pause(50);
      continue;
    }
    await end();
    throw new Error(`${path} does not listen: ${printed}`);
  }
  return { port, [Symbol.asyncDispose]: end };
}

async function freePort(): Promise<number> {
  await using server = await httpServer((_request, response) => response.end());
  return server.port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}
