import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../fixtures/contract/limits.ts';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { roleMeanings, roles } from '../../fixtures/roles.ts';
import type { Fault } from '../faults/fault.ts';
import type { StubResponse } from '../server/handle.ts';
import { script } from './script.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const code = `(${script})(${JSON.stringify(refusalCodes.workspaceAmbiguous)});`;

const faults: readonly (readonly [Fault, string])[] = [
  [{ status: 503 }, 'answered with 503'],
  [{ retryAfterSeconds: 5 }, 'answered with 429, wait 5 s'],
  [{ drop: 'before' }, 'dropped before its effect'],
  [{ drop: 'after' }, 'dropped after its effect'],
  [{ cutAtBytes: 10 }, 'answered with a truncated body'],
  [{ latencyMs: 3000 }, 'answered 3 s late'],
];

const toolOptions = toolNames.map((tool) => `<option>${tool}</option>`).join('');
const faultOptions = faults
  .map(([fault, text]) => `<option value='${JSON.stringify(fault)}'>${text}</option>`)
  .join('');
const keys = roles
  .map(
    (role) => `<li><b>${role}</b> <small>${roleMeanings[role]}</small><p class="copyable" id="key-${role}"></p></li>`,
  )
  .join('');

/** Minutes after which every open proposal has expired. */
const expiredMinutes = limits.confirmation.about + 1;

const body = `
<header><h1>Stub <small id="connection" role="status"></small></h1></header>
<p id="problem" class="bad" role="alert"></p>
<main id="page" hidden>
  <section class="journal" tabindex="0" aria-label="Journal"><h2>Journal</h2>
    <table><thead><tr><th>No.</th><th>Time</th><th>Role</th><th>Tool</th><th>Outcome</th><th>Content</th></tr></thead>
    <tbody id="journal"></tbody></table></section>
  <div class="controls">
  <section id="approvals" tabindex="-1" aria-label="Approvals"><h2>Approvals</h2>
    <p class="faint">A proposal expires after ${aboutLifetime}.</p>
    <ul id="proposals"></ul>
    <form id="pick"><label>Workspace that the person picks <input name="workspace" required></label>
    <button>Pick</button> <span id="choices"></span></form></section>
  <section><h2>Clock</h2>
    <p><time id="now"></time> UTC</p>
    <form id="advance"><label>Minutes <input name="minutes" type="number" min="0" step="any"
    value="${expiredMinutes}" required></label> <button>Advance</button>
    <button type="button" id="freeze">Freeze</button></form></section>
  <section><h2>Fault</h2>
    <form id="fault"><label>The next request to <select name="tool"><option value="">any tool</option>
    ${toolOptions}</select></label> <label>is <select name="what">${faultOptions}</select></label>
    <button>Queue</button> <button type="button" id="clear-faults">Clear</button></form>
    <ul id="faults"></ul></section>
  <section><h2>Connect</h2>
    <p class="faint">Base URL</p><p class="copyable" id="base-url"></p>
    <p class="faint">First request</p><p class="copyable" id="first-request"></p>
    <p class="faint">Workspaces of primary: <span id="workspaces"></span></p>
    <details><summary>Keys</summary><ul>${keys}</ul></details></section>
  </div>
</main>`;

const sha256 = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/**
 * The page. Its policy allows only its own script, its own style and requests to its own origin, and forbids framing.
 */
export const page: StubResponse = {
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      'img-src data:',
      `style-src ${sha256(style)}`,
      `script-src ${sha256(code)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stub</title><link rel="icon" href="data:,">
<style>${style}</style></head><body>${body}
<script>${code}</script></body></html>`,
};
