import { type IncomingHttpHeaders, request } from 'node:http';
import type { Role } from '../../fixtures/roles.ts';
import type { Fields, Json } from './model.ts';
import type { ThirdServer } from './server.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Fields;
  /** Code of a refusal or an error response. */
  code: Json | undefined;
  ok: boolean;
}

/** Parts of a request in addition to role, tool and arguments. */
export interface Extra {
  headers?: Record<string, string>;
  query?: string;
  /** Replaces the arguments as JSON. */
  raw?: string;
  /** Replaces the role's key. */
  authorization?: string | null;
  chunked?: boolean;
}

/** Maximum number of requests that a probe sends. */
const most = 40;

/** Sends the requests of a probe to one server, with a limit on their number. */
export class Probe {
  private sent = 0;
  private readonly server: ThirdServer;

  constructor(server: ThirdServer) {
    this.server = server;
  }

  key(role: Role): string {
    return this.server.keys[role];
  }

  call(role: Role, tool: string, args?: Fields, extra: Extra = {}): Promise<Reply> {
    this.sent += 1;
    if (this.sent > most) throw new Error(`a probe may take ${most} requests`);
    const { authorization = `Bearer ${this.key(role)}`, query = '', chunked = false } = extra;
    const raw = extra.raw ?? (args === undefined ? '' : JSON.stringify(args));
    const path = `/api/v1/tools/${tool}${query}`;
    return send(`${this.server.baseUrl}`, path, raw, {
      ...(raw === '' ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(raw)) }),
      ...extra.headers,
    });
  }

  propose(role: Role, more: Fields = {}, extra: Extra = {}): Promise<Reply> {
    const home = homeOf(role);
    return this.call(role, 'images.generate', { ...home, brief: 'A red kite', count: 1, shape: '1:1', ...more }, extra);
  }

  async proposed(role: Role, more: Fields = {}): Promise<string> {
    return String((await this.propose(role, more)).body.confirmation_id);
  }

  confirm(role: Role, id: Json, more: Fields = {}, extra: Extra = {}): Promise<Reply> {
    return this.propose(role, { confirmation_id: id, ...more }, extra);
  }

  create(role: Role, more: Fields = {}): Promise<Reply> {
    const { workspace } = homeOf(role);
    return this.call(role, 'content.create_request', { workspace, format: 'posts', day: '2027-03-10', ...more });
  }

  /** Sends a proposal that names no workspace. */
  proposeUnnamed(role: Role, more: Fields = {}): Promise<Reply> {
    const board = role === 'pinned' ? 'brd-21' : homeOf(role).board;
    return this.call(role, 'images.generate', { board, brief: 'A red kite', count: 1, shape: '1:1', ...more });
  }

  async advance(minutes: number): Promise<void> {
    await send(this.server.baseUrl, '/control/advance', JSON.stringify({ seconds: minutes * 60 }), {});
  }
}

export const second = { workspace: 'pier', board: 'brd-21' };

function homeOf(role: Role): { workspace: string; board: string } {
  return role === 'otherAccount' ? { workspace: 'barn', board: 'brd-91' } : { workspace: 'dock', board: 'brd-11' };
}

function send(base: string, path: string, raw: string, headers: Record<string, string>): Promise<Reply> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method: 'POST', headers, agent: false }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      const body = fieldsOf(text);
      const error = body.error;
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : body.code;
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        body,
        code,
        ok: body.ok === true,
      });
    });
    outgoing.on('error', reject);
    outgoing.end(raw);
  });
}

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    // This server responds with JSON objects.
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}
