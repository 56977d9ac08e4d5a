// node daemon.mjs (--ws URL [--stop-after N] | --rpc URL) --program ID --db URL --idl FILE
// Follows a program over a bare websocket, for N transactions, or reads its history in JSON-RPC batches over fetch, and ends with one JSON line of totals.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { Auditor } from './auditor.mjs';
import { makeParser } from './events.mjs';
import { Store } from './store.mjs';

const { values: o } = parseArgs({ options: {
  ws: { type: 'string' }, rpc: { type: 'string' }, program: { type: 'string' }, db: { type: 'string' }, idl: { type: 'string' }, 'stop-after': { type: 'string' },
} });
if (!o.ws === !o.rpc || !o.program || !o.db || !o.idl) { console.error('usage: daemon.mjs (--ws URL [--stop-after N] | --rpc URL) --program ID --db URL --idl FILE'); process.exit(2); }

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

function follow() {
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
}

// An error would make the measurement another one: nothing is tried again.
async function call(method, paramsList) {
  const body = JSON.stringify(paramsList.map((params, id) => ({ jsonrpc: '2.0', id, method, params })));
  const res = await fetch(o.rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!res.ok) throw new Error(`${method}: HTTP ${res.status}`);
  const out = new Array(paramsList.length);
  for (const a of await res.json()) { if (a.error) throw new Error(`${method}: ${a.error.code} ${a.error.message}`); out[a.id] = a.result; }
  return out;
}

// Pages run ahead of the fetchers by a bounded queue; each of 32 fetchers asks for 100 transactions in one request.
async function backfill() {
  const width = 32, size = 100, commitment = 'finalized', queue = [];
  let done = false, idle = [], pager = null;
  const wake = () => { const all = idle; idle = []; for (const f of all) f(); };
  async function page() {
    for (let before; ;) {
      const [list] = await call('getSignaturesForAddress', [[o.program, { before, limit: 1000, commitment }]]);
      firstAt ||= performance.now();
      for (let i = 0; i < list.length; i += size) queue.push(list.slice(i, i + size));
      wake();
      if (list.length === 0) break;
      before = list.at(-1).signature;
      while (queue.length > 2000 / size + 2 * width) await new Promise((r) => { pager = r; });
    }
    done = true;
    wake();
  }
  async function fetcher() {
    for (;;) {
      const part = queue.shift();
      if (!part) {
        if (done) return;
        await new Promise((r) => idle.push(r));
        continue;
      }
      pager?.();
      pager = null;
      const names = [];
      for (const s of part) if (s.err) { n.tx++; n.failedTx++; } else names.push(s.signature);
      if (names.length === 0) continue;
      const txs = await call('getTransaction', names.map((s) => [s, { encoding: 'base64', commitment, maxSupportedTransactionVersion: 1 }]));
      txs.forEach((tx, i) => auditor.transaction(names[i], tx.slot, tx.meta.err, tx.meta.logMessages));
    }
  }
  await Promise.all([page(), ...Array.from({ length: width }, fetcher)]);
  auditor.drain();
  stop();
}

if (o.rpc) await backfill();
else follow();
