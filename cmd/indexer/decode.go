package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"minesaudit/internal/config"
	"minesaudit/internal/idl"
	"minesaudit/internal/listing"
	"minesaudit/internal/txjson"
)

type decodeCmd struct {
	Files []string `arg:"" name:"file" help:"Files of transactions or logs in JSON; - is standard input."`

	IDL         string `name:"idl" required:"" placeholder:"FILE" help:"The program's Anchor IDL, of the form before or since 0.30."`
	Program     string `name:"program" placeholder:"ADDRESS" help:"Address of the program, base58. Empty: the one that the IDL names."`
	Signatures  bool   `name:"signatures" help:"Begin each event with its transaction's signature and slot."`
	LogMessages bool   `name:"log-messages" help:"Read lines of text that are base64 too, as programs of old Anchor versions print events; their source is log-msg."`
	Failed      bool   `name:"failed" help:"List events of failed transactions too, with \"failed\":true. They never took effect."`
}

// Help is shown under the flags.
func (decodeCmd) Help() string {
	return `Prints one JSON line for each event of the program, in the order in which its transactions stand: events in logs by the invocation that wrote them, then those by CPI that the program made to itself.

A file holds documents one after another, one a line or over many lines, or one array of them: answers to getTransaction (bare results or whole replies; encodings json, jsonParsed or base64; versions legacy, 0 and 1), to getBlock, logsNotification frames, {"logs":[…]}, {"logMessages":[…]} or arrays of log lines. Logs alone hold no events by CPI.

  {"program","name","source":"log"|"log-msg"|"cpi","ordinal","log_index" or "ix":[outer,inner],"depth","data":{…}}

Integers of 64 bits and more are decimal strings, keys base58, bytes hex. A line {"malformed":reason,…} is a payload that is no event by the IDL or was forged, a line {"unverifiable":reason,…} a transaction that may hold more than was found: a truncated log, a missing one, damaged JSON. Exit codes: 0 everything was read, 2 usage or unreadable IDL, 3 something was unverifiable, 4 a read or write failed.

Examples:
  indexer decode --idl mines.json transactions.jsonl
  indexer decode --idl legacy.json --program ADDRESS --signatures a.json b.json
  curl -s NODE -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":["SIGNATURE",{"maxSupportedTransactionVersion":1}]}' | indexer decode --idl mines.json -`
}

func (c *decodeCmd) Run(s *streams) error {
	lister, err := c.lister()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(s.Out, 64<<10)
	for _, name := range c.Files {
		if err := decodeFile(out, s.In, name, lister); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the events: %w", err)
	}
	for _, note := range decodeNotes(lister) {
		_, _ = fmt.Fprintln(s.Err, "indexer: "+note)
	}
	if lister.Unverifiable > 0 {
		return &exitError{code: exitInconclusive}
	}
	return nil
}

func (c *decodeCmd) lister() (*listing.Lister, error) {
	raw, err := os.ReadFile(c.IDL)
	if err != nil {
		return nil, usage(fmt.Errorf("--idl: %w", err))
	}
	file, err := idl.Parse(raw)
	if err != nil {
		return nil, usage(fmt.Errorf("--idl: %s: %w", c.IDL, err))
	}
	program := c.Program
	if program == "" {
		program = file.Address
	}
	if program == "" {
		return nil, usage(fmt.Errorf("--program: %s names no address: give the program's", c.IDL))
	}
	if _, err := config.ParseKey(program); err != nil {
		return nil, usage(fmt.Errorf("--program: %w", err))
	}
	if len(file.Events) == 0 {
		return nil, usage(fmt.Errorf("--idl: %s has no events: is it the IDL of another program, or of a version without them?", c.IDL))
	}
	return listing.New(program, file, listing.Options{Messages: c.LogMessages, Failed: c.Failed, Where: c.Signatures})
}

// decodeFile lists the transactions of a file, or of standard input line by line
// as they come.
func decodeFile(out *bufio.Writer, stdin io.Reader, name string, lister *listing.Lister) error {
	from := stdin
	if name == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return usage(err)
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	lister.In(name)
	reader := txjson.NewReader(from)
	var lines []byte
	for {
		txs, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		for i := range txs {
			lines = lister.Append(lines[:0], &txs[i])
			if _, err := out.Write(lines); err != nil {
				return fmt.Errorf("write the events: %w", err)
			}
		}
		if from == stdin && !reader.Buffered() {
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write the events: %w", err)
			}
		}
	}
}

// decodeNotes says in sentences what was read and what was left out.
func decodeNotes(l *listing.Lister) []string {
	notes := []string{fmt.Sprintf("%d transactions, %d events, %d malformed, %d unverifiable", l.Transactions, l.Events, l.Malformed, l.Unverifiable)}
	if l.FailedEvents > 0 {
		notes = append(notes, fmt.Sprintf("%d transactions failed on chain; their %d events are left out, --failed lists them", l.Counts.Failed, l.FailedEvents))
	}
	if l.Counts.Messages > 0 {
		notes = append(notes, fmt.Sprintf("%d lines of text look like events; --log-messages reads them", l.Counts.Messages))
	}
	return notes
}
