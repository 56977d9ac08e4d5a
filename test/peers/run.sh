#!/usr/bin/env bash
# run.sh INDEXER: let clients that others wrote read a simulated chain: @solana/web3.js
# by hand and by way of a script that audits as a user's would, live and from
# history. They are fetched by test/bench/peer/setup.sh and never shipped.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
peer=$here/../bench/peer
indexer=$(realpath "$1")
games=300

work=$(mktemp -d)
node_pid=
# shellcheck disable=SC2329 # called by the trap
clean() {
  if [[ -n $node_pid ]]; then kill "$node_pid" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean EXIT

cp "$here"/*.mjs "$peer"/{auditor,events,gen-idl,mines,store}.mjs "$work"
ln -s "$peer/node_modules" "$work/node_modules"
cd "$work"

# simulate RATE: a new chain. At rate 0 it waits for a subscriber with its first game.
simulate() {
  if [[ -n $node_pid ]]; then kill "$node_pid" && wait "$node_pid" || true; fi
  : >simulate.log
  "$indexer" simulate --listen 127.0.0.1:0 --games "$games" --slot-ms 20 --finality-slots 10 --rate "$1" 2>simulate.log &
  node_pid=$!
  for _ in $(seq 200); do
    if grep -q '^follow it' simulate.log; then break; fi
    sleep 0.05
  done
  rpc=$(awk '/^JSON-RPC/ { print $2; exit }' simulate.log)
  ws=$(awk '/^websocket/ { print $2; exit }' simulate.log)
  program=$(awk '/^program/ { print $2 }' simulate.log)
  if [[ -z $program ]]; then cat simulate.log >&2; exit 1; fi
  node gen-idl.mjs "$program" idl.json >/dev/null
}

# totals MODE FILE: what the script says in the end; the chain is honest, so nothing
# may fail. Anchor's parser does not find every event, so not every game is whole.
totals() {
  node -e '
    const [mode, file, games] = process.argv.slice(1);
    const t = JSON.parse(require("fs").readFileSync(file, "utf8").trim().split("\n").at(-1));
    console.log(`node-daemon ${mode}: ${t.tx} transactions, ${t.pass} games pass, ${t.fail} fail, ${t.inconclusive} inconclusive`);
    process.exit(t.fail === 0 && t.pass >= games * 3 / 4 ? 0 : 1);' "$1" "$2" "$games"
}

simulate 0
node clients.mjs --rpc "$rpc" --ws "$ws" --program "$program" --signatures 500

simulate 0
node daemon.mjs live --rpc "$rpc" --ws "$ws" --program "$program" --idl idl.json --stop-after $((games * 3 / 4)) >live.log
totals live live.log

simulate 300
for _ in $(seq 600); do
  if grep -q '^every game has ended' simulate.log; then break; fi
  sleep 0.1
done
node daemon.mjs backfill --rpc "$rpc" --program "$program" --idl idl.json >backfill.log
totals backfill backfill.log
node daemon.mjs backfill --raw --rpc "$rpc" --program "$program" --idl idl.json >raw.log
totals "backfill --raw" raw.log
