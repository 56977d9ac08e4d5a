// Package idlfetch gets a program's IDL from the chain: from the account that
// Anchor before 1.0 wrote, and from that of the Program Metadata program. Both
// lie at addresses that follow from the program's, and what counts as one of
// them is for its owner to say: see package idl.
//
// What an account says is the word of whoever may write it, and what a node says
// of an account is the node's: a profile made of an IDL deserves to be read.
package idlfetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"minesaudit/internal/idl"
	"minesaudit/internal/rpc"
)

// ErrNone is that no account holds an IDL which can be used.
var ErrNone = errors.New("no usable IDL")

// seed is what programs keep their IDL under with the Program Metadata program.
const seed = "idl"

// A Source is where and for whom IDLs are looked for.
type Source struct {
	Client  *rpc.Client
	Program [32]byte

	// Authority asks for the account that this key wrote with the Program
	// Metadata program, alone; nil: for those of the program's own authority.
	Authority *[32]byte
}

// An IDL is one that was found.
type IDL struct {
	JSON    []byte
	Parsed  *idl.IDL
	Address [32]byte // of the account
	Kind    string   // of it, in words
	Slot    uint64   // as of which slot
	Notes   []string // what a person should know of it
}

// A place is an account that may hold an IDL.
type place struct {
	kind    string
	address [32]byte
}

// Fetch gives the first usable IDL. Where there is none, the error matches
// [ErrNone] and says where it looked and what it found; any other is the node's.
func Fetch(ctx context.Context, s Source) (*IDL, error) {
	places, err := s.places()
	if err != nil {
		return nil, err
	}
	var found *IDL
	var looked []string
	for _, p := range places {
		candidate, err := s.at(ctx, p)
		switch {
		case rpc.ClassOf(err) != 0:
			return nil, err
		case err != nil:
			looked = append(looked, fmt.Sprintf("%s at %s %v", p.kind, rpc.KeyString(p.address), err))
		case found == nil:
			found = candidate
		case !bytes.Equal(found.JSON, candidate.JSON):
			found.Notes = append(found.Notes, fmt.Sprintf("%s at %s holds another one: compare the two", p.kind, rpc.KeyString(p.address)))
		}
	}
	if found == nil {
		return nil, s.none(ctx, looked)
	}
	if address := found.Parsed.Address; address != "" && address != rpc.KeyString(s.Program) {
		found.Notes = append(found.Notes, fmt.Sprintf("it says that it is of program %.50q", address))
	}
	return found, nil
}

func (s *Source) places() ([]place, error) {
	metadata, err := idl.MetadataAddress(s.Program, s.Authority, seed)
	if err != nil {
		return nil, err
	}
	second := place{"the account of the Program Metadata program", metadata}
	if s.Authority != nil {
		return []place{second}, nil
	}
	legacy, err := idl.LegacyAddress(s.Program)
	if err != nil {
		return nil, err
	}
	return []place{{"Anchor's own account", legacy}, second}, nil
}

// at reads the IDL at one place.
func (s *Source) at(ctx context.Context, p place) (*IDL, error) {
	account, err := s.account(ctx, p.address)
	if err != nil {
		return nil, err
	}
	if !account.Exists {
		return nil, errors.New("does not exist")
	}
	content, err := idl.FromAccount(s.Program, account.Owner, account.Data)
	if err != nil {
		return nil, ofAccount(err)
	}
	found := &IDL{JSON: content.JSON, Address: p.address, Kind: p.kind, Slot: account.Slot}
	if x := content.External; x != nil {
		if err := s.follow(ctx, found, x); err != nil {
			return nil, err
		}
	}
	if found.Parsed, err = idl.Parse(found.JSON); err != nil {
		return nil, fmt.Errorf("holds what cannot be used: %w", err)
	}
	return found, nil
}

// follow reads the text from the account that another names, and goes no further.
func (s *Source) follow(ctx context.Context, found *IDL, x *idl.External) error {
	account, err := s.account(ctx, x.Address)
	if err != nil {
		return err
	}
	where := rpc.KeyString(x.Address)
	if !account.Exists {
		return fmt.Errorf("names the account %s, which does not exist", where)
	}
	if found.JSON, err = x.Content(account.Data); err != nil {
		return fmt.Errorf("names the account %s: %w", where, ofAccount(err))
	}
	found.Notes = append(found.Notes, fmt.Sprintf("the text lies in the account %s, which program %s may change", where, rpc.KeyString(account.Owner)))
	return nil
}

func (s *Source) account(ctx context.Context, address [32]byte) (rpc.Account, error) {
	return rpc.Retry(ctx, rpc.RetryPolicy{Tries: 4}, func(ctx context.Context) (rpc.Account, error) {
		return s.Client.AccountInfo(ctx, address, rpc.Finalized)
	})
}

// none says what was found in place of an IDL, and whether there is a program.
func (s *Source) none(ctx context.Context, looked []string) error {
	text := strings.Join(looked, "; ")
	program := rpc.KeyString(s.Program)
	known, err := s.Client.ProgramExists(ctx, program)
	switch {
	case err != nil:
		return err
	case !known.Exists:
		return fmt.Errorf("%w: this cluster has no program %s: is it the right one? (%s)", ErrNone, program, text)
	case !known.Executable:
		return fmt.Errorf("%w: %s is an account, and no program (%s)", ErrNone, program, text)
	}
	return fmt.Errorf("%w: %s: ask the program's authors for the file, or look in their repository under target/idl", ErrNone, text)
}

// ofAccount takes the words off an error of package idl that are said already.
func ofAccount(err error) error {
	return &accountError{err}
}

type accountError struct{ err error }

func (e *accountError) Error() string { return strings.TrimPrefix(e.err.Error(), "idl: account ") }

func (e *accountError) Unwrap() error { return e.err }
