// node daemon.mjs --ws URL --program ID --db URL --idl FILE [--stop-after N]
// Follows a program over a bare websocket, for N transactions, and ends with one JSON line of totals.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { Auditor } from './auditor.mjs';
import { makeParser } from './events.mjs';
import { Store } from './store.mjs';

const { values: o } = parseArgs({ options: {
  ws: { type: 'string' }, program: { type: 'string' }, db: { type: 'string' }, idl: { type: 'string' }, 'stop-after': { type: 'string' },
} });
if (!o.ws || !o.program || !o.db || !o.idl) { console.error('usage: daemon.mjs --ws URL --program ID --db URL --idl FILE [--stop-after N]'); process.exit(2); }

const store = new Store(o.db);
await store.open();
const auditor = new Auditor(makeParser(JSON.parse(readFileSync(o.idl, 'utf8')), o.program), store);
const { n } = auditor;
const t0 = performance.now();
let firstAt = 0, stopping = false;

async function finish() {
  await store.close();
  const end = store.lastCommit || performance.now(), cpu = process.cpuUsage();
  for (const f of auditor.failures) console.log('FAIL', f.game, f.checks.join(','));
  console.log(JSON.stringify({ ...n, open: auditor.open.size, rows: store.rows, wallS: +((performance.now() - t0) / 1000).toFixed(2),
    activeS: +((end - firstAt) / 1000).toFixed(3), cpuS: +((cpu.user + cpu.system) / 1e6).toFixed(2),
    maxRssMiB: Math.round(process.resourceUsage().maxRSS / 1024) }));
  process.exit(0);
}
const stop = () => { if (stopping) process.exit(130); stopping = true; void finish(); };
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

const want = Number(o['stop-after'] ?? Infinity);
const ws = new WebSocket(o.ws, { perMessageDeflate: false });
ws.on('open', () => ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'logsSubscribe', params: [{ mentions: [o.program] }, { commitment: 'confirmed' }] })));
ws.on('message', (m) => {
  const p = JSON.parse(m).params;
  if (!p || stopping) return;
  firstAt ||= performance.now();
  auditor.transaction(p.result.value.signature, p.result.context.slot, p.result.value.err, p.result.value.logs);
  if (n.tx >= want) stop();
});
// A dropped socket would make the measurement another one: it ends it.
ws.on('error', (e) => { console.error('websocket:', e.message); process.exit(1); });
ws.on('close', () => { if (!stopping) { console.error('websocket: closed'); process.exit(1); } });
