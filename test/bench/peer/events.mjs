// Logs in, plain events out: Anchor's own parser and coder, then BN and PublicKey turned into BigInt, Buffer and hex.
import anchor from '@coral-xyz/anchor';
const { BorshCoder, EventParser } = anchor;

const big = (bn) => (bn.bitLength() <= 53 ? BigInt(bn.toNumber()) : BigInt(bn.toString()));
const key = (pk) => pk.toBuffer().toString('hex');

const convert = {
  MinesGameStarted(d) {
    const userBytes = d.user.toBuffer();
    return { kind: 'started', game: key(d.game), user: userBytes.toString('hex'), userBytes, nonce: big(d.nonce), minesCount: d.mines_count,
      stake: big(d.stake), commitHash: Buffer.from(d.commit_hash), slothash: Buffer.from(d.slothash), houseEdgeBps: d.house_edge_bps,
      maxPayout: big(d.max_payout), refundTimeout: big(d.refund_timeout), startedAt: d.started_at.toNumber() };
  },
  MinesGameSettled(d) {
    return { kind: 'settled', game: key(d.game), user: key(d.user), nonce: big(d.nonce), serverSeed: Buffer.from(d.server_seed),
      slothash: Buffer.from(d.slothash), minesMask: d.mines_mask, revealedMask: d.revealed_mask, bustTile: d.bust_tile,
      multiplier: big(d.multiplier), payout: big(d.payout) };
  },
  MinesGameVoided(d) {
    return { kind: 'voided', game: key(d.game), user: key(d.user), nonce: big(d.nonce), refund: big(d.refund), authority: key(d.authority) };
  },
};

export function makeParser(idl, program) {
  // Anchor's parser calls programId.toString() for every log line; a PublicKey would encode base58 each time, so it gets a cached string.
  const parser = new EventParser({ toString: () => program }, new BorshCoder(idl));
  return function parse(logs) {
    const out = [];
    for (const ev of parser.parseLogs(logs)) {
      const c = convert[ev.name];
      if (c) out.push(c(ev.data));
    }
    return out;
  };
}
