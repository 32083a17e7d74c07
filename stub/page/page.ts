import { hash } from 'node:crypto';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../fixtures/contract/limits.ts';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { roleMeanings, roles } from '../../fixtures/roles.ts';
import type { StubResponse } from '../server/handle.ts';
import { connect } from './connect.ts';
import { journal } from './journal.ts';
import { link } from './link.ts';
import { live } from './live.ts';
import { make } from './make.ts';
import { panels } from './panels.ts';
import { style } from './style.ts';
import { tabs } from './tabs.ts';

// Embeds the functions as source code, so the page needs no build and loads no other files.
const script = `(${live})({ make: ${make}, link: ${link}, journal: ${journal}, panels: ${panels}, connect: ${connect},
tabs: ${tabs}, ambiguous: ${JSON.stringify(refusalCodes.workspaceAmbiguous)} });`;

const options = (values: readonly (readonly [value: string, text: string])[]): string =>
  values.map(([value, text]) => `<option value='${value}'>${text}</option>`).join('');
const roleOptions = options(roles.map((role) => [role, role]));

const faults = options([
  ['503', 'answered with 503'],
  ['429', 'answered with 429, wait 5 s'],
  ['before', 'dropped before its effect'],
  ['after', 'dropped after its effect'],
  ['cut', 'answered with a truncated body'],
  ['slow', 'answered 3 s late'],
]);
const switches = options([
  ['{"key":"revoked"}', 'revoke the key'],
  ['{"key":"expired"}', 'expire the key'],
  ['{"key":"live"}', 'make the key valid'],
  ['{"capability":false}', 'remove api.access'],
  ['{"capability":true}', 'grant api.access'],
  ['{"accountSwitch":false}', 'switch the API of the account off'],
  ['{"accountSwitch":true}', 'switch the API of the account on'],
  ['{"platformSwitch":false}', 'switch the API of the platform off'],
  ['{"platformSwitch":true}', 'switch the API of the platform on'],
  ['{"rateLimit":1}', 'limit to 1 request a minute'],
  ['{"rateLimit":600}', 'limit to 600 requests a minute'],
]);

const keyRows = roles
  .map(
    (role) =>
      `<tr><th scope="row">${role}<br><small>${roleMeanings[role]}</small></th><td><span id="key-${role}"
data-key="${role}"></span></td></tr>`,
  )
  .join('');

/** Creates a tab. `count` is an optional element for a number. */
const tab = (id: string, title: string, count = ''): string =>
  `<button type="button" role="tab" id="tab-${id}" aria-controls="${id}" aria-selected="${id === 'approvals'}"
tabindex="${id === 'approvals' ? 0 : -1}">${title}${count}</button>`;
const tabList = [
  tab('approvals', 'Approvals', ' <b id="waiting"></b>'),
  tab('rules', 'Client', ' <b id="broken"></b>'),
  tab('clock', 'Clock'),
  tab('queue', 'Faults'),
  tab('switches', 'Keys'),
  tab('accounts', 'Credits'),
].join('');
const panel = (id: string, content: string): string =>
  `<div role="tabpanel" id="${id}" aria-labelledby="tab-${id}"
tabindex="0"${id === 'approvals' ? '' : ' hidden'}>${content}</div>`;

/** Minutes after which every open proposal has expired. */
const expiredMinutes = limits.confirmation.about + 1;

const controls = [
  panel(
    'approvals',
    `<p><button type="button" id="approve-all" disabled>Approve all</button></p><ul id="proposals"></ul>
    <ul id="choices" aria-label="Workspaces to choose from"></ul>
    <form id="pick"><label>Workspace that the person picks <input name="workspace"
required></label><button>Pick</button></form>`,
  ),
  panel('rules', '<p><b id="verdict"></b></p><ul id="judgement"></ul>'),
  panel(
    'clock',
    `<p><time id="now"></time> UTC</p>
    <p><button type="button" data-minutes="1">+1 min</button> <button type="button"
data-minutes="${expiredMinutes}">+${expiredMinutes} min</button> <button
type="button" id="freeze">Freeze</button></p>
    <p class="faint">A proposal expires after ${aboutLifetime}.</p>
    <form id="advance"><label>Minutes <input name="minutes" type="number" min="0" step="any" value="${expiredMinutes}"
required></label><button>Advance</button></form>`,
  ),
  panel(
    'queue',
    `<form id="fault"><label>The next request to <select name="tool"><option value="">any
tool</option>${options(toolNames.map((tool) => [tool, tool]))}</select></label>
    <label>is <select name="what">${faults}</select></label><button>Queue</button><button type="button"
id="clear-faults">Clear</button></form>
    <ul id="faults"></ul><p id="met" class="faint"></p>`,
  ),
  panel(
    'switches',
    `<form id="switch"><label>Key of <select name="role">${roleOptions}</select></label><label>to <select
name="to">${switches}</select></label><button>Switch</button></form>
    <form id="place"><label>Key of <select name="role">${roleOptions}</select></label><label>has the <select
name="what"><option value="storedDefault">default</option><option value="pin">pin</option></select></label>
    <label>workspace, or none <input name="workspace"></label><button>Set the workspace</button></form>
    <table><thead><tr><th scope="col">Role</th><th scope="col">Key</th><th scope="col">API</th><th scope="col">Rate
limit</th><th scope="col">Workspace</th></tr></thead><tbody id="keys"></tbody></table>`,
  ),
  panel(
    'accounts',
    `<ul id="credits"></ul><p id="done" class="faint"></p><p id="forgotten" class="faint"></p>
    <form id="balance"><label>Account of <select name="role">${roleOptions}</select></label><label>Credits <input
name="credits" type="number" min="0" value="3" required></label><button>Set</button></form>`,
  ),
].join('');

const body = `
<header>
  <h1>Stub</h1>
  <label>Sandbox <select id="world"><option>main</option></select></label>
  <span id="connection" role="status"></span>
  <button type="button" id="reset">Reset the sandbox</button>
</header>
<p id="problem" role="alert"></p>
<form id="unlock"><label>Control token <input name="token" type="password" autocomplete="off"
required></label><button>Open</button></form>
<main id="page" hidden>
  <section class="journal" tabindex="0" aria-labelledby="journal-title"><h2 id="journal-title">Journal</h2>
    <table><thead><tr><th scope="col">No.</th><th scope="col" class="time">Time</th><th scope="col">Role</th><th
scope="col">Tool</th><th scope="col">Outcome</th><th scope="col">Details</th></tr></thead><tbody
id="journal"></tbody></table>
    <p class="empty">No request yet. Send the first one with the command under Connect.</p></section>
  <section class="connect" aria-labelledby="connect-title"><h2 id="connect-title">Connect</h2>
    <p class="faint">Base URL</p><p class="copyable" id="base-url"></p>
    <p class="faint">First request</p><p class="copyable" id="first-request"></p>
    <details id="keys-by-role"><summary>Keys and workspaces</summary><p class="faint">Workspaces of primary: <span
id="workspaces"></span></p><table><tbody>${keyRows}</tbody></table></details></section>
  <section class="controls" id="controls" aria-labelledby="controls-title"><h2 id="controls-title">Controls</h2>
    <div role="tablist"
aria-labelledby="controls-title">${tabList}</div>
    ${controls}</section>
  <section class="speakers" tabindex="0" aria-labelledby="speakers-title"><h2 id="speakers-title">Requests by role and
workspace</h2>
    <table><thead><tr><th scope="col">Role</th><th scope="col">Workspace</th><th scope="col">Requests</th><th
scope="col" class="latest">Latest</th></tr></thead><tbody id="speakers"></tbody></table></section>
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
      `script-src ${sha256(script)}`,
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
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
initial-scale=1"><title>Stub</title>
<link rel="icon" href="data:,">
<style>${style}</style></head><body>${body}
<script>${script}</script></body></html>`,
};
