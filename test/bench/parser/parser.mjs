// Anchor's own event parser over the same mainnet transactions, one thread:
//
//   node parser.mjs FIXTURES [seconds]
//
// A parses logs and decodes the data of inner instructions with an event's tag,
// whose programs and bytes are worked out beforehand; B starts from the JSON text.
// Each transaction is read once for every IDL whose program is in it. The parser
// encodes the program's address for every line of a log; it gets an object that
// has the text ready, because that is a fault that anyone can mend. It prints
// transactions a second of processor time.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const current = require('@anchor-lang/core');
const legacy = require('@coral-xyz/anchor');
const bs58 = require('bs58');

const [fixtures, seconds = '2'] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(fixtures, name), 'utf8');
const manifest = JSON.parse(read('manifest.json'));
const tag = Buffer.from('e445a52e51cb9a1d', 'hex');

const idls = {};
for (const entry of manifest.idls) {
  const idl = JSON.parse(read(entry.file));
  const anchor = idl.metadata?.spec ? current : legacy;
  try {
    const coder = new anchor.BorshCoder(idl);
    const parsers = Object.fromEntries(entry.programs.map((id) => [id, new anchor.EventParser({ toString: () => id }, coder)]));
    idls[entry.alias] = { coder, parsers };
  } catch {
    // an IDL that it cannot load
  }
}

function logsOf(tx) {
  return tx.params?.result.value.logs ?? tx.logMessages ?? tx.meta?.logMessages ?? [];
}

function callsOf(tx) {
  const groups = tx.meta?.innerInstructions ?? [];
  if (groups.length === 0) return [];
  const listed = tx.transaction?.message?.accountKeys ?? [];
  const keys = listed.map((key) => (typeof key === 'string' ? key : key.pubkey));
  if (typeof listed[0] === 'string') {
    keys.push(...(tx.meta.loadedAddresses?.writable ?? []), ...(tx.meta.loadedAddresses?.readonly ?? []));
  }
  const calls = [];
  for (const group of groups) {
    for (const ix of group.instructions) {
      if (typeof ix.data !== 'string' || ix.data.length < 11) continue;
      const data = bs58.decode(ix.data);
      if (data.length < 8 || !Buffer.from(data.buffer, data.byteOffset, 8).equals(tag)) continue;
      calls.push([ix.programId ?? keys[ix.programIdIndex], Buffer.from(data).subarray(8).toString('base64')]);
    }
  }
  return calls;
}

function events(logs, uses, calls) {
  let n = 0;
  for (const { program, idl } of uses) {
    const { coder, parsers } = idls[idl];
    try {
      for (const _ of parsers[program].parseLogs(logs)) n++;
    } catch {
      // it throws on some logs
    }
    for (const [of, data] of calls) {
      if (of !== program) continue;
      try {
        if (coder.events.decode(data)) n++;
      } catch {
        // bytes that are too short
      }
    }
  }
  return n;
}

const cases = manifest.txs.map((entry) => {
  const text = read(entry.file);
  const tx = JSON.parse(text);
  const uses = JSON.parse(read(entry.expected)).program_ids_with_idl.filter((use) => idls[use.idl]);
  return { text, uses, logs: logsOf(tx), calls: callsOf(tx) };
});

const ways = {
  A: () => cases.reduce((n, c) => n + events(c.logs, c.uses, c.calls), 0),
  B: () => cases.reduce((n, c) => {
    const tx = JSON.parse(c.text);
    return n + events(logsOf(tx), c.uses, callsOf(tx));
  }, 0),
};

const totals = {};
for (const [name, way] of Object.entries(ways)) {
  way(); // once for the compiler
  const before = process.cpuUsage();
  let rounds = 0;
  let used = 0;
  while (used < seconds * 1e6) {
    totals.events = way();
    rounds++;
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  totals[name] = (rounds * cases.length * 1e6) / used;
}
console.log(JSON.stringify(totals));
