import { hash } from 'node:crypto';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { roles } from '../../fixtures/roles.ts';
import type { StubResponse } from '../server/handle.ts';
import { journal } from './journal.ts';
import { link } from './link.ts';
import { live } from './live.ts';
import { make } from './make.ts';
import { panels } from './panels.ts';
import { style } from './style.ts';

// The functions stand in the page as their own source: nothing has to be built, and nothing is loaded.
const script = `(${live})({ make: ${make}, link: ${link}, journal: ${journal}, panels: ${panels} });`;

const options = (values: readonly (readonly [value: string, text: string])[]): string =>
  values.map(([value, text]) => `<option value='${value}'>${text}</option>`).join('');
const roleOptions = options(roles.map((role) => [role, role]));

const faults = options([
  ['503', '503'],
  ['429', '429, wait 5 s'],
  ['before', 'dropped before its effect'],
  ['after', 'dropped after its effect'],
  ['cut', 'body cut short'],
  ['slow', '3 s late'],
]);
const switches = options([
  ['{"key":"revoked"}', 'revoke the key'],
  ['{"key":"expired"}', 'let the key expire'],
  ['{"key":"live"}', 'make the key good'],
  ['{"capability":false}', 'take api.access away'],
  ['{"capability":true}', 'give api.access'],
  ['{"accountSwitch":false}', 'API of the account off'],
  ['{"accountSwitch":true}', 'API of the account on'],
  ['{"platformSwitch":false}', 'API of the platform off'],
  ['{"platformSwitch":true}', 'API of the platform on'],
  ['{"rateLimit":1}', 'rate limit of 1 a minute'],
  ['{"rateLimit":600}', 'rate limit of 600 a minute'],
]);

const body = `
<header>
  <h1>The stub, live</h1>
  <label>World <select id="world"><option>main</option></select></label>
  <span id="connection" role="status" class="faint"></span>
  <button type="button" id="reset">Begin the world again</button>
</header>
<p id="problem" role="alert"></p>
<form id="unlock"><label>Control token <input name="token" type="password" autocomplete="off" required></label><button>Open</button></form>
<main id="page" hidden>
  <section tabindex="-1" aria-labelledby="proposals-title"><h2 id="proposals-title">Proposals that wait for a person</h2><ul id="proposals"></ul>
    <ul id="choices" aria-label="Workspaces to choose from"></ul>
    <form id="pick"><label>Workspace that the person picks <input name="workspace" required></label><button>Pick</button></form></section>
  <section aria-labelledby="clock-title"><h2 id="clock-title">Clock</h2><p><time id="now"></time> UTC</p>
    <form id="advance"><label>Minutes <input name="minutes" type="number" min="0" step="any" value="31" required></label><button>Advance</button>
    <button type="button" id="freeze">Stop it</button></form></section>
  <section aria-labelledby="credits-title"><h2 id="credits-title">Credits</h2><ul id="credits"></ul><p id="done" class="faint"></p><p id="forgotten" class="faint"></p>
    <form id="balance"><label>Account of <select name="role">${roleOptions}</select></label><label>Credits <input name="credits" type="number" min="0" value="3" required></label><button>Set</button></form></section>
  <section aria-labelledby="faults-title"><h2 id="faults-title">Faults</h2><ul id="faults"></ul><p id="met" class="faint"></p>
    <form id="fault"><label>Next call of <select name="tool"><option value="">any tool</option>${options(toolNames.map((tool) => [tool, tool]))}</select></label>
    <label>is <select name="what">${faults}</select></label><button>Queue</button><button type="button" id="clear-faults">Forget all</button></form></section>
  <section tabindex="0" aria-labelledby="speakers-title"><h2 id="speakers-title">Who spoke, and where</h2>
    <table><thead><tr><th scope="col">Role</th><th scope="col">Workspace</th><th scope="col">Calls</th><th scope="col">Latest</th></tr></thead><tbody id="speakers"></tbody></table></section>
  <section aria-labelledby="judgement-title"><h2 id="judgement-title">The client: <span id="verdict"></span></h2><ul id="judgement"></ul></section>
  <section class="wide" tabindex="0" aria-labelledby="journal-title"><h2 id="journal-title">Journal</h2>
    <table><thead><tr><th scope="col">No.</th><th scope="col">Time</th><th scope="col">Role</th><th scope="col">Tool</th><th scope="col">Outcome</th><th scope="col">Details</th></tr></thead><tbody id="journal"></tbody></table></section>
  <section class="wide" tabindex="0" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
    <form id="switch"><label>Key of <select name="role">${roleOptions}</select></label><label>to <select name="to">${switches}</select></label><button>Switch</button></form>
    <form id="place"><label>Key of <select name="role">${roleOptions}</select></label><label>has the <select name="what"><option value="storedDefault">default</option><option value="pin">pin</option></select></label>
    <label>workspace, or none <input name="workspace"></label><button>Set the workspace</button></form>
    <table><thead><tr><th scope="col">Role</th><th scope="col">Key</th><th scope="col">Surface</th><th scope="col">Rate limit</th><th scope="col">Workspace</th></tr></thead><tbody id="keys"></tbody></table></section>
</main>`;

const sha256 = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/**
 * The page: it may run its own script, have its own style, and speak with where it came from; nobody may put it into a
 * frame.
 */
export const page: StubResponse = {
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${sha256(style)}; script-src ${sha256(script)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The stub, live</title>
<style>${style}</style></head><body>${body}
<script>${script}</script></body></html>`,
};
