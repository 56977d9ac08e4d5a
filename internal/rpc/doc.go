// Package rpc speaks to Solana nodes: JSON-RPC over HTTP for the record, and a
// websocket subscription at each, revived for ever, for the live hint.
//
// # What a node may be relied on for
//
// Nothing by its silence. A subscription loses, doubles and delays notifications and
// ends without a word, so [Stream] promises only to tell truthfully when it was
// listening: each [Up] is followed by exactly one [Down], also when the consumer lags,
// and whoever reads the stream treats what lies between a Down and the next Up as a
// gap to be filled from the record. A null answer does not prove that a transaction
// does not exist, and no error code proves that a slot is empty; the classes of
// [Error] say what a caller may do next, not what is true of the chain. A page of
// signatures may be shorter than there are more, and end inside a slot that the next one
// orders otherwise: [SignatureList] pages so that neither leaves anything out.
//
// # Several nodes
//
// A [Pool] knows the nodes by name and chooses one to read from: it leaves those that
// err, lag or contradict what is known, and tries them again later. Each node's
// [Client] keeps the node's budget by itself: every request waits for its turn, and one
// that was refused (429) holds all others of that node back, for as long as the node
// says, or beyond a rolling window of ten seconds. [Live] is the subscriptions of
// several nodes heard as one: Up while any listens, each notification once, and marked
// where a second node tells it otherwise. Which of two nodes is right this package does
// not judge.
//
// # Exactness
//
// Slots and subscription ids are u64 and are decoded as such; transaction errors stay
// JSON text, because their variants grow with the validator; logMessages null (not
// recorded) differs from an empty list. github.com/gagliardetto/solana-go supplies
// the request client, base58 and the transaction decoder; answers are decoded by the
// structs of this package, because the library's hold numbers in any, drop
// Retry-After and cannot tell null from absent.
//
// # Secrets
//
// Providers put API keys in the user info, the path and the query of a URL, and both
// net/http and solana-go print URLs in their errors. No text of a foreign error leaves
// this package: causes are told by kind ("connection refused", "timeout"), and what a
// node itself says is cut short and has every part of the URL struck out first. Error
// chains hold no foreign error either, except context.Canceled and
// context.DeadlineExceeded.
package rpc
