/** The style of the HTML page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --fail: light-dark(#b3261e, #ff8a80);
  --warn: light-dark(#7a5200, #ffcc66); --note: light-dark(#1a56a8, #8ab8ff); --good: light-dark(#1b6e34, #7ddc97);
  --back: light-dark(#fff, #16181c); --text: light-dark(#1c1e21, #e4e6ea); --soft: light-dark(#f4f5f7, #1f2228); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; } h3 { margin: 0 0 .25rem; }
header p { font-weight: 600; } .passed { color: var(--good); } .inconclusive { color: var(--warn); }
.failed, .unreadable { color: var(--fail); }
.wide, pre { overflow-x: auto; }
table { border-collapse: collapse; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; white-space: nowrap; }
tbody th { position: sticky; left: 0; background: var(--back); white-space: normal; overflow-wrap: anywhere;
  min-width: 9rem; }
summary { cursor: pointer; margin: .5rem 0; } .matrix td { text-align: center; } thead th { background: var(--soft); }
article { border: 1px solid var(--line); border-left: .3rem solid var(--tone); border-radius: .3rem;
  padding: .75rem; margin: 0 0 1rem; }
article.fail { --tone: var(--fail); } article.warn { --tone: var(--warn); } article.note { --tone: var(--note); }
.mark { color: var(--tone); } p { margin: 0 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .75rem; margin: 0 0 .5rem; }
dt { font-weight: 600; } dd { margin: 0; }
.sides { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { margin: 0; min-width: 0; } figcaption { font-size: .85rem; }
pre { margin: .25rem 0 0; padding: .5rem; background: var(--soft); font: .8rem/1.5 ui-monospace, monospace; tab-size: 2;
  overflow-wrap: normal; }
pre i { opacity: .65; font-style: normal; user-select: none; }
mark { background: #fd05; color: inherit; display: inline-block; min-width: 100%; }
`;
