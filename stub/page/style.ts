/** Style sheet of the page. Each color has a light and a dark value, and color never carries information alone. */
export const style = `
:root { color-scheme: light dark; --ground: light-dark(#fbfbfa, #16181b); --raised: light-dark(#fff, #1e2125);
  --sunk: light-dark(#f1f1ee, #101214);
  --line: light-dark(#c9c8c2, #454b52); --text: light-dark(#1c1e21, #e6e6e3); --faint: light-dark(#565b62, #a9aeb5);
  --link: light-dark(#1a56b0, #8fb8ff);
  --good: light-dark(#1d6b2c, #7fce8b); --bad: light-dark(#a8201a, #ff9d94); --doubt: light-dark(#7a4f00, #f0c265); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.4rem; }
h2 { margin: 0 0 .4rem; font-size: 1.05rem; }
p, ul { margin: .2rem 0; }
ul { padding: 0; list-style: none; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: baseline; margin-bottom: .8rem; }
main { display: grid; gap: .8rem; align-items: start; }
main > * { min-width: 0; }
section { padding: .7rem .9rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
[role=tablist] { display: flex; flex-wrap: wrap; gap: .2rem; margin-bottom: .6rem; border-bottom: 1px solid var(--line);
  }
[role=tab] { border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; padding: .3rem .5rem;
  }
[role=tab][aria-selected=true] { border-bottom-color: var(--link); font-weight: 600; }
#waiting { color: var(--link); } #broken { color: var(--bad); }
.copyable { display: flex; gap: .5rem; align-items: start; margin-bottom: .5rem; }
.copyable code, td code { flex: 1; min-width: 0; font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
  user-select: all; }
.copyable button, td .copy { padding: 0 .5rem; font-size: .85rem; }
td .copy { margin-left: .4rem; }
small { color: var(--faint); }
.journal tbody:not(:empty) ~ .empty, .journal table:has(tbody:not(:empty)) + .empty { display: none; }
.actual { display: block; color: var(--faint); font-size: .9rem; }
#judgement li { display: flex; gap: .5rem; padding: .25rem 0; border-bottom: 1px solid var(--line); }
#judgement .failed, #judgement .warned { color: inherit; }
.passed .sign { color: var(--faint); } .failed .sign { color: var(--bad); } .warned .sign { color: var(--doubt); }
.sign { font-weight: 700; }
.unseen { position: absolute; left: -100rem; }
#choices { display: flex; gap: .4rem; margin: .4rem 0; }
#connection { color: var(--faint); }
form { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .4rem 0; }
label { color: var(--faint); font-size: .85rem; }
button, select, input { padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 4px;
  background: var(--sunk); color: var(--text); font: inherit; }
input[type=number] { width: 6.5rem; }
button { cursor: pointer; }
button.approve { border-color: var(--good); color: var(--good); }
button.deny { border-color: var(--bad); color: var(--bad); }
button[aria-pressed=true] { font-weight: bold; border-width: 2px; }
.proposal { padding: .5rem 0; border-top: 1px solid var(--line); }
.proposal:first-child { border-top: 0; }
.proposal button { margin-right: .4rem; }
.summary { font-weight: 600; }
.faint, .control { color: var(--faint); font-size: .9rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .doubt { color: var(--doubt); }
#problem { color: var(--bad); }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; overflow-wrap: break-word; }
th, td { padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  font-weight: normal; }
thead th { color: var(--faint); font-size: .85rem; }
#journal td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
#journal td:nth-child(-n+3) { white-space: nowrap; }
#journal summary { white-space: nowrap; }
#journal td:nth-child(n+4) { min-width: 6.2rem; }
#journal pre { min-width: 13.5rem; }
td.latest { overflow-wrap: anywhere; }
pre { max-height: 20rem; overflow: auto; margin: .3rem 0; padding: .5rem; background: var(--sunk);
  border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; font: .8rem/1.4 ui-monospace, monospace; }
@media (min-width: 78rem) {
  main { grid-template-columns: minmax(0, 1fr) 30rem; grid-template-rows: auto auto 1fr; }
  .journal { grid-row: 1 / span 3; min-height: calc(100vh - 6rem); }
  .connect, .controls, .speakers { grid-column: 2; }
}
@media (max-width: 44rem) {
  body { padding: .6rem; }
  .journal { max-height: 50vh; overflow: auto; }
  .journal thead, .time, .latest { display: none; }
  #journal tr { display: flex; flex-wrap: wrap; gap: 0 .8rem; border-bottom: 1px solid var(--line); padding: .2rem 0; }
  #journal td { padding: 0; border: 0; }
}
`;
