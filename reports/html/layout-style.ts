/** Layout of pages: wide, narrow and in print. */
export const layoutStyle = `
.masthead { padding: 1rem 1.3rem; background: var(--raised); border: 1px solid var(--line);
  border-left: .5rem solid var(--doubt); border-radius: 6px; }
.masthead.good { border-left-color: var(--good); }
.masthead.bad { border-left-color: var(--bad); }
.masthead.partial { border-left-color: var(--kept); }
.good h1 { color: var(--good); }
.bad h1, .baseline.worse { color: var(--bad); }
.doubt h1 { color: var(--doubt); }
.masthead h2 { margin: .9rem 0 .2rem; font-size: 1.1rem; }
.masthead ol { padding-left: 1.6rem; }
.shares { color: var(--faint); font-size: .9rem; margin: .6rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1.8rem; margin: .4rem 0; font-size: .92rem; }
.facts div { display: flex; gap: .45rem; }
.facts dt { color: var(--faint); flex: none; }
.facts dd { margin: 0; min-width: 0; }
.fix-first li { padding: .15rem 0; }
.fix-first li > .statement, .fix-first li > .hint { display: block; font-size: .92rem; }
.fix-first li > .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.fix-first .hint::before { content: "→ "; }
.fix-first .brief, .fix-first .weight { font-size: .85rem; }
.fix-first .weight:not(:empty)::before { content: "· "; }
.reasons { color: var(--doubt); }

.bar { position: sticky; top: 0; z-index: 2; margin: .8rem -1.5rem 0; padding: .4rem 1.5rem; background: var(--ground);
  border-bottom: 1px solid var(--line); font-size: .92rem; }
.bar p { margin: 0; }
.bar ul, .bar form, .bar fieldset { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; align-items: center; margin: 0;
  padding: 0;
  list-style: none; border: 0; min-width: 0; }
.bar form { margin-top: .3rem; }
.bar fieldset { gap: .3rem; }
.bar legend { float: left; padding: 0; margin-right: .3rem; color: var(--faint); }
.bar input[type=search] { width: 11rem; }
.bar select, .bar button, .bar input[type=search] { min-height: 24px; }
@media screen {
  .bar li a, .others a, .requirement-body a, .index li > a { display: inline-block; min-width: 24px;
    line-height: 24px; }
}
.chip { display: inline-flex; gap: .3rem; align-items: center; padding: 0 .6rem; border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--raised); cursor: pointer; white-space: nowrap; line-height: 1.6rem; }
.chip input { margin: 0; }
.chip:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }

.topics { columns: 15.5rem; column-gap: 1.2rem; }
.topic { break-inside: avoid; padding-bottom: .5rem; }
.topic p { display: flex; justify-content: space-between; line-height: 24px; font-size: .9rem; margin: 0;
  padding-right: .3rem; }
.cells { display: flex; flex-wrap: wrap; gap: 2px; }
.cell { display: inline-block; width: 24px; height: 24px; line-height: 22px; text-align: center; font-weight: 700;
  border-radius: 3px;
  text-decoration: none; color: var(--faint); background: var(--idle-ground); border: 1px solid transparent; }
.good .cell.passed { background: var(--good-ground); color: var(--good); }
.cell.failed { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
.cell.errored, .cell.warned { background: var(--doubt-ground); color: var(--doubt); border-color: var(--doubt); }
.cell.known-failure { background: var(--doubt-ground); color: var(--doubt); }
.cell.not-tested { background: none; border: 1px dashed var(--faint); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin-top: .7rem; font-size: .9rem; }

.index { list-style: none; padding: 0; font-size: .9rem; display: none; }
.index li { padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
.index li:hover { background: var(--sunk); }
.index .statement, .index .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; }
.index .brief { font-size: .85rem; }
.finding, .change { margin: 0 0 .8rem; padding: .8rem 1rem; background: var(--raised); border: 1px solid var(--line);
  border-left: .35rem solid var(--doubt); border-radius: 6px; }
.finding.failed, .change.failed { border-left-color: var(--bad); }
.change.passed { border-left-color: var(--kept); }
.changes > summary { padding: 0; margin: 1.2rem 0 .6rem; }
.changes h2 { display: inline; }
.warnings { list-style: none; padding: 0; color: var(--doubt); }
.finding h3 .status, .change h3 .status { font-size: .9rem; font-weight: normal; }
.difference { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .4rem 0; }
.difference dt { color: var(--faint); }
.difference dd { margin: 0; min-width: 0; }
.expected, .actual { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .86rem; padding-top: .1rem; }
.hint { font-weight: 500; }

.chain { list-style: none; padding: 0; counter-reset: step; }
.chain > li { counter-increment: step; margin: .5rem 0; }
.chain .step::before { content: counter(step) ". "; }
.chain .step { font-weight: 500; }
.chain .twin .step { color: var(--good); }
.chain .shows .exchange { border-color: var(--bad); }
.warned .chain .shows .exchange { border-color: var(--doubt); }

details.exchange { margin: .3rem 0; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); }
.number { display: inline-block; min-width: 2rem; color: var(--faint); }
.exchange-body { padding: 0 .8rem .6rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 0 .8rem; }
.side { min-width: 0; }
.reference pre { border-style: dashed; }
.problem { color: var(--doubt); }
.command { position: relative; }
.command pre { padding-right: 5rem; max-height: 8rem; user-select: all; }
.command button { position: absolute; top: .35rem; right: .4rem; }
.exchange > pre { margin: .3rem .6rem; }
/* Closed entries that are out of view cost nothing; their size is close to the real one. */
.exchange-list > details, .requirement-list > details { content-visibility: auto; }
.exchange-list > details { contain-intrinsic-size: auto 2.3rem; }
.requirement-list > details { contain-intrinsic-size: auto 3.6rem; }

.gaps { list-style: none; padding: 0; }
.gaps > li { margin: .5rem 0; padding: .5rem .8rem; background: var(--raised); border: 1px dashed var(--line);
  border-radius: 6px; }
.gaps summary { padding-left: 0; }
.requirement { border-bottom: 1px solid var(--line); }
.requirement .word { font-size: .85rem; color: var(--faint); }
.requirement .statement { display: block; padding-left: 2.4rem; }
.requirement-body { padding: 0 1rem .6rem 2.9rem; }
.observations > div { padding: .4rem 0; border-bottom: 1px solid var(--line); }
.observations dd { margin: 0; }
.observations ul { display: flex; flex-wrap: wrap; gap: .2rem .8rem; list-style: none; padding: 0; }

.scrolls { overflow-x: auto; }
svg.timeline { display: block; min-width: 44rem; width: 100%; height: auto; background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 4px; padding: .3rem; }
.timeline text { font: 12px system-ui, sans-serif; fill: var(--text); }
.timeline line { stroke: var(--line); }
.timeline .s2 { fill: var(--kept); }
.timeline .s4 { fill: var(--link); }
.timeline .s429 { fill: var(--doubt); }
.timeline .s5 { stroke: var(--bad); stroke-width: 2; fill: none; }
.timeline .waited { fill: var(--mark); stroke: var(--doubt); stroke-dasharray: 2 2; }
.timeline .pause rect { fill: var(--idle-ground); }
.timeline .pause text { font-size: 10px; fill: var(--faint); }
.key.s2 { color: var(--kept); } .key.s4 { color: var(--link); } .key.s429, .key.waited { color: var(--doubt); }
.key.s5 { color: var(--bad); }
footer { margin-top: 2.5rem; padding-top: .6rem; border-top: 1px solid var(--line); font-size: .85rem; }

@media screen and (min-width: 75rem) {
  .findings { display: grid; grid-template-columns: 23rem 1fr; gap: 1.2rem; align-items: start; }
  .findings > div { min-width: 0; }
  .index { display: block; position: sticky; top: 6rem; max-height: calc(100vh - 7rem); overflow-y: auto; margin: 0;
    background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
}
@media (max-width: 44rem) {
  body { padding: .6rem; }
  h1 { font-size: 1.3rem; }
  .masthead { padding: .7rem .8rem; }
  .bar { margin: .6rem -.6rem 0; padding: .3rem .6rem; }
  .bar ul, .bar form, .bar fieldset { flex-wrap: nowrap; }
  .bar ul, .bar form { overflow-x: auto; padding: .25rem 0; }
  .bar ul > *, .bar form > *, .bar legend { flex: none; white-space: nowrap; }
  .difference { grid-template-columns: 1fr; gap: 0; }
  .difference dd { margin: 0 0 .4rem; }
  .requirement .statement, .requirement-body { padding-left: .6rem; }
}
@media print {
  :root { color-scheme: light; }
  html { font-size: 8.5pt; }
  body { max-width: none; padding: 0; font-size: 1rem; line-height: 1.35; }
  h1 { font-size: 1.5rem; }
  h2 { margin: .8rem 0 .3rem; break-after: avoid; }
  .bar, .finding, #gaps, #requirements, #timeline, #observations, #left-behind, #outside-reach, #requests {
  display: none; }
  .topics { columns: 4; }
  .topic { padding-bottom: .2rem; }
  .cell { width: 1.3rem; height: 1.3rem; line-height: 1.1rem; font-size: .8rem; }
  .index { display: block; }
  .index li, .change { padding: .1rem 0; break-inside: avoid; border-width: 0 0 1px; margin: 0; }
  .change .difference { margin: 0; }
  .index .statement, .index .brief { display: inline; }
}
`;
