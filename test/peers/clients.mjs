// node clients.mjs --rpc URL --ws URL --program ID --signatures N
// Reads a simulated chain as an application would, by @solana/web3.js: onLogs, getSignaturesForAddress page by page,
// getTransaction one by one and getTransactions as a JSON-RPC batch; and wants all of them to tell the same.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import web3 from '@solana/web3.js';

const { values: o } = parseArgs({ options: {
  rpc: { type: 'string' }, ws: { type: 'string' }, program: { type: 'string' }, signatures: { type: 'string', default: '300' },
} });
const program = new web3.PublicKey(o.program), want = Number(o.signatures);
const connection = new web3.Connection(o.rpc, { commitment: 'confirmed', wsEndpoint: o.ws });
const pause = (ms) => new Promise((r) => setTimeout(r, ms));

const told = new Map();
const subscription = connection.onLogs(program, (value, context) => told.set(value.signature, { ...value, slot: context.slot }), 'confirmed');
while (told.size < want) await pause(20);
await connection.removeOnLogsListener(subscription);
const last = Math.max(...[...told.values()].map((t) => t.slot));
while (await connection.getSlot('finalized') <= last) await pause(50);

const listed = [];
for (let before; ;) {
  const page = await connection.getSignaturesForAddress(program, { before, limit: 100 }, 'finalized');
  if (page.length === 0) break;
  listed.push(...page);
  before = page.at(-1).signature;
}
const byName = new Map(listed.map((s) => [s.signature, s]));
assert.equal(byName.size, listed.length, 'a signature is listed twice');
for (const t of told.values()) {
  const s = byName.get(t.signature);
  assert.ok(s, `${t.signature} was told of and is not listed`);
  assert.equal(s.slot, t.slot);
  assert.deepEqual(s.err, t.err);
}

const config = { commitment: 'finalized', maxSupportedTransactionVersion: 0 };
let inner = 0, loaded = 0, failed = 0;
for (let i = 0; i < listed.length; i += 50) {
  const names = listed.slice(i, i + 50).map((s) => s.signature);
  const batch = await connection.getTransactions(names, config);
  for (const [j, name] of names.entries()) {
    const tx = await connection.getTransaction(name, config);
    assert.deepEqual(tx, batch[j], `${name} in a batch is another one`);
    assert.equal(tx.slot, byName.get(name).slot);
    assert.equal(tx.blockTime, byName.get(name).blockTime);
    if (told.has(name)) assert.deepEqual(tx.meta.logMessages, told.get(name).logs, `${name} was told of with other logs`);
    const { writable, readonly } = tx.meta.loadedAddresses;
    const keys = tx.transaction.message.getAccountKeys({ accountKeysFromLookups: tx.meta.loadedAddresses });
    assert.ok([...Array(keys.length).keys()].some((k) => keys.get(k).equals(program)), `${name} does not name the program`);
    for (const list of tx.meta.innerInstructions) {
      for (const call of list.instructions) {
        assert.ok(keys.get(call.programIdIndex), `${name} calls a program that it does not name`);
        inner++;
      }
    }
    loaded += writable.length + readonly.length;
    failed += tx.meta.err === null ? 0 : 1;
  }
}
assert.ok(inner > 0 && loaded > 0 && failed > 0, `inner instructions ${inner}, loaded addresses ${loaded}, failed ${failed}: some of each are wanted`);
console.log(`web3.js: ${told.size} transactions told of, ${listed.length} listed and given; ${inner} inner instructions, ${loaded} loaded addresses, ${failed} failed`);
process.exit(0);
