/** The style of the HTML page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: light-dark(#f4f5f7, #1f2228); --back: light-dark(#fff, #16181c);
  --fail: light-dark(#b3261e, #ff8a80); --warn: light-dark(#7a5200, #ffcc66); --note: light-dark(#1a56a8, #8ab8ff); }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--back); color: light-dark(#1c1e21, #e4e6ea);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.failed, .unreadable { color: var(--fail); } .inconclusive { color: var(--warn); }
.wide, pre { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; min-width: 4rem; }
tbody th { position: sticky; left: 0; background: var(--back); overflow-wrap: anywhere; min-width: 9rem; }
article { border: 1px solid var(--line); border-left: .3rem solid var(--tone); padding: .75rem; margin: 0 0 1rem; }
.fail { --tone: var(--fail); } .warn { --tone: var(--warn); } .note { --tone: var(--note); }
h3, .sides, figure { margin: 0; } .mark { color: var(--tone); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; } dd { margin: 0; }
dt { font-weight: 600; } dt::first-letter { text-transform: uppercase; }
.sides { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { min-width: 0; } pre { padding: .5rem; background: var(--soft); font: .8rem/1.5 ui-monospace, monospace; }
pre i { opacity: .65; font-style: normal; user-select: none; }
mark { background: #fd05; color: inherit; display: inline-block; min-width: 100%; }
`;
