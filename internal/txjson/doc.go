// Package txjson reads transactions from the JSON that nodes give and people
// save. It reads only what events need, at the speed at which text can be looked
// through, and believes nothing: the text may be damaged, cut off, another
// document, or made to hurt.
//
// # Forms
//
// A document is one of
//
//	{"slot", "blockTime", "transaction", "meta", "version"}     the result of getTransaction, or one of getBlock's transactions
//	{"jsonrpc", "id", "result": …}                              a whole reply with one of these, or with
//	{"blockhash", …, "transactions": [{"transaction", "meta"}]}   the result of getBlock
//	{"method": "logsNotification", "params": {"result": {"context": {"slot"}, "value": {"signature", "err", "logs"}}}}
//	{"logs": […]}, {"logMessages": […]}                         a log, with signature, slot and err where known
//	["Program … invoke [1]", …]                                 the lines of one
//	[document, …]
//
// `transaction` is an object (encodings json and jsonParsed), [DATA, "base64"] or
// base58, of version legacy, 0 or 1. Notifications of other subscriptions and
// acknowledgements hold no transaction and give none; everything else that is
// not one is told, with a [Problem].
//
// A [Reader] takes documents one after another: a line each, over many lines, or
// the elements of one array however long. Its memory is that of one document.
// After a damaged one it goes on at the line behind the damage, so that a line of
// a file costs no other line; where the damage lets a document run on into the
// next, both are lost, and the problem says from which line on.
//
// # What is not believed
//
// A field that stands twice, has another type or contradicts another makes the
// transaction unreadable: readers that take the first and those that take the
// last would see different transactions. Keys loaded from tables count only if
// there are as many as the message asks for. Base58 names are not checked; they
// are compared, and a name that is not a program's is not the program.
package txjson
