// Package listing writes the events of one program as JSON lines: what
// [decode.Finder] finds in a transaction, read as its IDL says.
//
// An event is
//
//	{"program","name","source":"log","ordinal","log_index","depth","data":{…}}
//	{"program","name","source":"cpi","ordinal","ix":[outer,inner],"depth","data":{…}}
//
// with "log-msg" as source for events that were printed as text. The ordinal
// counts the program's payloads of that source in the transaction, unreadable
// ones included. The depth is that of the line or instruction which holds the
// event: 1 for a top-level instruction's line, and 2 for the call that it makes
// to itself. Values are as package idl writes them. An event with bytes left over
// has "malformed":"trailing" before its data: a newer program than the IDL.
//
// A payload that is no event by the IDL, or pretends to be the program's, is
//
//	{"malformed":reason,"detail","program","name","source",…,"hex" or "text","signature","slot","file","line"}
//
// and where a transaction may hold more than was found, or a document cannot be
// read, there is
//
//	{"unverifiable":reason,"detail","signature","slot","file","line"}
//
// with the reasons of packages [decode] and [txjson]. What is not known is left
// out. Events of transactions that failed never happened: they are counted, and
// listed only where that is asked for, with "failed":true.
package listing
