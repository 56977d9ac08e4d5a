// node gen-idl.mjs PROGRAM FILE: writes the IDL of builtin:mines for a program, in Anchor's format (spec 0.1.0).
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
const [address, file] = process.argv.slice(2);
if (!file) { console.error('usage: gen-idl.mjs PROGRAM FILE'); process.exit(2); }
const b32 = { array: ['u8', 32] };
const events = {
  MinesGameStarted: [['game', 'pubkey'], ['user', 'pubkey'], ['nonce', 'u64'], ['mines_count', 'u8'], ['stake', 'u64'],
    ['commit_hash', b32], ['slothash', b32], ['house_edge_bps', 'u16'], ['max_payout', 'u64'], ['refund_timeout', 'i64'], ['started_at', 'i64']],
  MinesGameSettled: [['game', 'pubkey'], ['user', 'pubkey'], ['nonce', 'u64'], ['server_seed', b32], ['slothash', b32], ['mines_mask', 'u32'],
    ['revealed_mask', 'u32'], ['bust_tile', { option: 'u8' }], ['multiplier', 'u64'], ['payout', 'u64']],
  MinesGameVoided: [['game', 'pubkey'], ['user', 'pubkey'], ['nonce', 'u64'], ['refund', 'u64'], ['authority', 'pubkey']],
};
const disc = (n) => [...createHash('sha256').update(`event:${n}`).digest().subarray(0, 8)];
writeFileSync(file, JSON.stringify({
  address, metadata: { name: 'mines', version: '0.1.0', spec: '0.1.0' }, instructions: [],
  events: Object.keys(events).map((name) => ({ name, discriminator: disc(name) })),
  types: Object.entries(events).map(([name, f]) => ({ name, type: { kind: 'struct', fields: f.map(([name, type]) => ({ name, type })) } })),
}) + '\n');
