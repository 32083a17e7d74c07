import { layoutStyle } from './layout-style.ts';

/**
 * Style of the pages. Each color has a light and a dark variant, and only repeats information of a sign or a word.
 * Green is for a complete run without violations, red for violations.
 */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfbfa, #16181b);
  --raised: light-dark(#ffffff, #1e2125);
  --sunk: light-dark(#f1f1ee, #101214);
  --line: light-dark(#d7d6d1, #3a3f45);
  --text: light-dark(#1c1e21, #e6e6e3);
  --faint: light-dark(#5a5f66, #a6abb2);
  --link: light-dark(#1a56b0, #8fb8ff);
  --good: light-dark(#1d6b2c, #7fce8b);
  --good-ground: light-dark(#dcefdd, #1c3a22);
  --bad: light-dark(#a8201a, #ff9d94);
  --bad-ground: light-dark(#fbe0dd, #4b1d1a);
  --doubt: light-dark(#7a4f00, #f0c265);
  --doubt-ground: light-dark(#fbeccb, #42320c);
  --kept: light-dark(#8b9199, #757c85);
  --idle-ground: light-dark(#e9e8e4, #2a2e33);
  --mark: light-dark(#ffd9a8, #6a4310);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 8.5rem; }
body { margin: 0 auto; max-width: 100rem; padding: 1rem 1.5rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.25rem; }
h3 { margin: 0 0 .3rem; font-size: 1rem; }
p { margin: .3rem 0; }
ul, ol { margin: .3rem 0; padding-left: 1.3rem; }
code, pre, .id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .86rem; }
pre { margin: .2rem 0; padding: .4rem .6rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
pre.long { max-height: 16rem; overflow-y: auto; }
mark { background: var(--mark); color: inherit; padding: 0 .1em; border-radius: 2px; text-decoration: underline; }
kbd { padding: 0 .3em; border: 1px solid var(--line); border-radius: 3px; font-size: .8rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); font-weight: normal;
  white-space: nowrap; }
thead th { color: var(--faint); }
summary { cursor: pointer; padding: .3rem .6rem; }
button, input[type=search], select { font: inherit; font-size: .9rem; padding: .1rem .5rem; color: var(--text);
  background: var(--raised);
  border: 1px solid var(--faint); border-radius: 4px; }
button { cursor: pointer; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .3rem .6rem; background: var(--raised); z-index: 3; }
.id, .ms, .scope, .brief, .others, .empty, .legend, .label, .weight, footer { color: var(--faint); }
.label { font-size: .85rem; }
.sign { display: inline-block; min-width: 1em; text-align: center; font-weight: 700; }
.failed > .sign, .sign.failed, .finding.failed h3 .sign, .finding.failed h3 .status, .gate.failed { color: var(--bad); }
.errored > .sign, .sign.errored, .warned > .sign, .sign.warned, .finding.warned h3 .sign, .sign.known-failure {
  color: var(--doubt); }
.severity { font-size: .85rem; font-weight: normal; color: var(--faint); }
.severity.security, .severity.spends-money, .severity.data-isolation { color: var(--bad); font-weight: 600; }
.times { padding: 0 .4em; border: 1px solid var(--line); border-radius: 1em; font-size: .85rem; font-weight: normal;
  white-space: nowrap; }
.unverified { color: var(--doubt); border-color: var(--doubt); }
.share { display: block; width: 100%; height: .7rem; border-radius: 3px; }
.share rect { fill: var(--idle-ground); }
.share .passed { fill: var(--kept); }
.good .share .passed { fill: var(--good); }
.share .failed { fill: var(--bad); }
.share .errored, .share .warned, .share .known-failure { fill: var(--doubt); }
${layoutStyle}`;
