import { chromium } from 'playwright-core'
import fs from 'node:fs'
import { startSandbox } from './dist/esm/index.js'
const sets = {
  now: ['--headless','--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'],
  nozyg: ['--headless','--no-sandbox','--no-zygote','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync','--in-process-gpu'],
  one: ['--headless','--no-sandbox','--no-zygote','--renderer-process-limit=1','--process-per-site','--disable-site-isolation-trials','--disable-gpu','--in-process-gpu','--disable-software-rasterizer','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync','--disable-features=NetworkServiceSandbox'],
  single: ['--headless','--no-sandbox','--single-process','--no-zygote','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'],
}
function cpu() { // all chromium processes that descend from us, plus reaped
  const ps = new Map()
  for (const d of fs.readdirSync('/proc')) if (/^\d+$/.test(d)) try { const s = fs.readFileSync(`/proc/${d}/stat`,'utf8'); const r = s.slice(s.lastIndexOf(')')+2).split(' '); ps.set(+d,{ppid:+r[1], t:+r[11]+ +r[12]+ +r[13]+ +r[14]}) } catch {}
  let sum=0; for (const [pid,p] of ps) { let a=pid; while (a && a!==process.pid) a=ps.get(a)?.ppid; if (a===process.pid && pid!==process.pid) sum+=p.t }
  return sum*10
}
sets.soft=[...sets.now,'--disable-gpu-compositing','--disable-software-rasterizer','--renderer-process-limit=1'];const s = await startSandbox({seed:'x', logger(){}})

for (const name of process.argv.slice(2)) {
  const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: sets[name] })
  const wc = await b.newContext(); const warm = await wc.newPage(); await warm.goto(s.url); await warm.getByText('Live',{exact:true}).waitFor(); await new Promise(r=>setTimeout(r,1500))
  const m = async (what, n, f) => { const c0=process.cpuUsage(), b0=cpu(), t=performance.now(); for (let i=0;i<n;i++) await f(); const c=process.cpuUsage(c0); console.log(name, what, 'chromium', ((cpu()-b0)/n).toFixed(0), 'node', ((c.user+c.system)/1000/n).toFixed(0), 'wall', ((performance.now()-t)/n).toFixed(0)) }
  await m('idle 500ms', 1, () => new Promise(r=>setTimeout(r,500)))
  await m('blank ctx+page', 6, async () => { const c = await b.newContext(); await c.newPage(); await c.close() })
  await m('ctx+page+goto live', 6, async () => { const c = await b.newContext(); const p = await c.newPage(); await p.goto(s.url); await p.getByText('Live',{exact:true}).waitFor(); await c.close() })
  await m('page+goto live', 6, async () => { const p = await warm.context().newPage(); await p.goto(s.url); await p.getByText('Live',{exact:true}).waitFor(); await p.close() })
  await m('goto live', 6, async () => { await warm.goto(s.url); await warm.getByText('Live',{exact:true}).waitFor() })
  await m('goto openapi', 6, async () => { await warm.goto(s.url + '/openapi.json') })
  await b.close()
}
await s.close()
