/**
 * Style of the pages. Colours come in pairs, for light and for dark; no colour says what a sign or a word does not say
 * too.
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
  --idle-ground: light-dark(#e9e8e4, #2a2e33);
  --mark: light-dark(#ffd9a8, #6a4310);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, summary:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.3rem; }
h3 { margin: 0 0 .3rem; font-size: 1.05rem; }
p { margin: .3rem 0; }
ul { margin: .3rem 0; padding-left: 1.3rem; }
code, pre, .id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .86rem; }
pre { margin: .2rem 0; padding: .5rem .6rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow-y: auto; }
mark { background: var(--mark); color: inherit; padding: 0 .1em; border-radius: 2px; text-decoration: underline; }
kbd { padding: 0 .3em; border: 1px solid var(--line); border-radius: 3px; font-size: .8rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); font-weight: normal; white-space: nowrap; }
thead th { color: var(--faint); }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .3rem .6rem; background: var(--raised); }
.id, .ms, .scope, .brief, .others, .empty, .legend, .label, footer { color: var(--faint); }
.label { font-size: .85rem; }

.masthead { padding: 1rem 1.2rem; background: var(--raised); border: 1px solid var(--line); border-left: .6rem solid var(--doubt); border-radius: 6px; }
.masthead.good { border-left-color: var(--good); }
.masthead.bad { border-left-color: var(--bad); }
.masthead.partial { border-left-color: var(--faint); }
.good h1 { color: var(--good); }
.bad h1 { color: var(--bad); }
.doubt h1 { color: var(--doubt); }
.gate.failed { color: var(--bad); }
.headlines { list-style: none; padding: 0; margin: .6rem 0; }
.headlines li { padding: .15rem 0; }
.headlines .brief { display: block; padding-left: 1.3rem; font-size: .92rem; }
.headlines .hint { color: var(--text); }
.times { white-space: nowrap; }
.figures { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: .7rem 0 .3rem; }
.figures div { display: flex; gap: .4rem; align-items: baseline; }
.figures dt { order: 2; color: var(--faint); font-size: .9rem; }
.figures dd { margin: 0; font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0; margin: .6rem 0 0; }

.sign { display: inline-block; min-width: 1em; text-align: center; font-weight: 700; }
.failed > .sign, .sign.failed, .figures .failed dd, .finding.failed h3 .status { color: var(--bad); }
.errored > .sign, .sign.errored, .warned > .sign, .sign.warned, .figures .errored dd, .figures .warned dd, .sign.known-failure { color: var(--doubt); }
.sign.passed, .figures .passed dd { color: var(--good); }
.severity { font-size: .85rem; font-weight: normal; color: var(--faint); }
.severity.security, .severity.spends-money, .severity.data-isolation { color: var(--bad); font-weight: 600; }
.times { padding: 0 .4em; border: 1px solid var(--line); border-radius: 1em; font-size: .85rem; font-weight: normal; }

.topics { columns: 15.5rem; column-gap: 1.2rem; }
.topic { break-inside: avoid; padding-bottom: .5rem; }
.topic-name { display: block; font-size: .9rem; }
.cells { display: flex; flex-wrap: wrap; gap: 2px; }
.cell { display: inline-block; width: 24px; height: 24px; line-height: 24px; text-align: center; font-weight: 700; border-radius: 3px;
  text-decoration: none; color: var(--text); background: var(--idle-ground); border: 1px solid transparent; line-height: 22px; }
.cell.passed { background: var(--good-ground); color: var(--good); }
.cell.failed { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
.cell.errored, .cell.warned { background: var(--doubt-ground); color: var(--doubt); border-color: var(--doubt); }
.cell.known-failure { background: var(--doubt-ground); color: var(--doubt); }
.cell.not-tested { background: var(--idle-ground); color: var(--faint); border: 1px dashed var(--faint); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin-top: .7rem; font-size: .9rem; }

.finding { margin: .8rem 0; padding: .8rem 1rem; background: var(--raised); border: 1px solid var(--line); border-left: .35rem solid var(--doubt); border-radius: 6px; }
.finding.failed { border-left-color: var(--bad); }
.finding h3 .status { font-size: .9rem; font-weight: normal; }
.difference { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .5rem 0; }
.difference dt { color: var(--faint); }
.difference dd { margin: 0; }
.expected, .actual { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9rem; }

details.exchange { margin: .3rem 0; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); }
summary { cursor: pointer; padding: .3rem .6rem; }
.number { display: inline-block; min-width: 2rem; color: var(--faint); }
.exchange-body { padding: 0 .8rem .6rem; }
.answers.beside { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
.side { min-width: 0; }
.reference pre { border-style: dashed; }
.problem { color: var(--doubt); }
.curl { position: relative; margin-top: .5rem; }
.curl pre { padding-right: 5rem; max-height: 8rem; }
.curl button { position: absolute; top: .35rem; right: .4rem; }
button { font: inherit; font-size: .9rem; padding: .1rem .7rem; color: var(--text); background: var(--raised); border: 1px solid var(--faint); border-radius: 4px; cursor: pointer; }
.curl pre, .curl-line { user-select: all; }
.exchange > pre { margin: .3rem .6rem; }
.exchange-list, .requirement-list { content-visibility: auto; contain-intrinsic-size: auto 40rem; }

.gaps { list-style: none; padding: 0; }
.gaps > li { margin: .5rem 0; padding: .5rem .8rem; background: var(--raised); border: 1px dashed var(--line); border-radius: 6px; }
.gaps summary { padding-left: 0; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: end; margin: .6rem 0; }
.filter p { margin: 0; }
.filter p > label { display: block; font-size: .9rem; }
.filter fieldset { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: .1rem .7rem .3rem; border: 1px solid var(--line); border-radius: 4px; }
.filter input[type=search], .filter select { font: inherit; padding: .15rem .4rem; color: var(--text); background: var(--raised); border: 1px solid var(--faint); border-radius: 4px; }
.requirement { border-bottom: 1px solid var(--line); }
.requirement[hidden] { display: none; }
.requirement .word { font-size: .85rem; color: var(--faint); }
.requirement .statement { display: block; padding-left: 2.4rem; }
.requirement-body { padding: 0 1rem .6rem 2.9rem; }
.observations > div { padding: .4rem 0; border-bottom: 1px solid var(--line); }
.observations dd { margin: 0; }
.observations ul { display: flex; flex-wrap: wrap; gap: .2rem .8rem; list-style: none; padding: 0; }

.scrolls { overflow-x: auto; }
svg.timeline { display: block; min-width: 44rem; width: 100%; height: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: .3rem; }
.timeline text { font: 12px system-ui, sans-serif; fill: var(--text); }
.timeline line { stroke: var(--line); }
.timeline .s2 { fill: var(--good); }
.timeline .s4 { fill: var(--link); }
.timeline .s429 { fill: var(--doubt); }
.timeline .s5 { stroke: var(--bad); stroke-width: 2; fill: none; }
.timeline .waited { fill: var(--mark); stroke: var(--doubt); stroke-dasharray: 2 2; }
.timeline .pause rect { fill: var(--idle-ground); }
.timeline .pause text { font-size: 10px; fill: var(--faint); }
.key.s2 { color: var(--good); } .key.s4 { color: var(--link); } .key.s429, .key.waited { color: var(--doubt); } .key.s5 { color: var(--bad); }
footer { margin-top: 2.5rem; padding-top: .6rem; border-top: 1px solid var(--line); font-size: .85rem; }

@media (max-width: 44rem) {
  body { padding: .5rem; }
  .masthead { padding: .7rem .8rem; }
  .answers.beside { grid-template-columns: 1fr; }
  .difference { grid-template-columns: 1fr; gap: 0; }
  .difference dd { margin: 0 0 .4rem; }
  .requirement .statement, .requirement-body { padding-left: .6rem; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; font-size: 10pt; }
  nav, .skip, .filter, .curl button, #requests { display: none; }
  pre { max-height: none; }
  .finding { break-inside: avoid-page; }
  .requirement-list { content-visibility: visible; }
}
`;
