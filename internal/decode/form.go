package decode

import (
	"errors"
	"fmt"

	"minesaudit/internal/idl"
)

// A form says how a value of the IDL's type becomes that of a role.
type form uint8

const (
	formKey       form = iota // 32 bytes
	formKeyText               // a key in base58
	formKeyNumber             // a game that has a number in place of an address
	formHash                  // 32 bytes
	formHashText              // a hash in hex
	formAmount                // × 10^decimals
	formFloat                 // the one amount that gives this float, see exactAmount
	formByte                  // one that does not fit is 255
	formEdge                  // one that does not fit is the largest
	formSeconds
	formTile       // whatever is there is a tile
	formTileOrNone // 255 is none
	formMask       // bit t is tile t
	formFlags      // element t is tile t
	formTiles      // each element is a tile
	formLost       // a bool
	formWon        // a bool, turned around
	formPresence   // a variant is lost
	formAbsence    // a variant is won
)

// formOf finds the form for a field, or says what its type would have to be.
func formOf(f *FieldMapping, leaf idl.Leaf) (form, error) {
	t := leaf.Type
	if err := unitFits(f); err != nil {
		return 0, err
	}
	switch f.Role {
	case RoleGame:
		if isInteger(t.Kind) {
			return formKeyNumber, nil
		}
		return keyForm(t)
	case RoleUser, RoleAuthority:
		return keyForm(t)
	case RoleCommitHash, RoleSlothash, RoleServerSeed:
		return hashForm(t)
	case RoleStake, RoleMaxPayout, RoleMultiplier, RolePayout, RoleRefund:
		return amountForm(t, f.Unit)
	case RoleMinesMask, RoleRevealedMask:
		return maskForm(t, f.Unit)
	case RoleLost:
		return lostForm(t, leaf.Optional, f.Unit)
	}
	if !isInteger(t.Kind) {
		return 0, errors.New("want an integer")
	}
	switch f.Role {
	case RoleMinesCount:
		return formByte, nil
	case RoleHouseEdge:
		return formEdge, nil
	case RoleRefundTimeout, RoleStartedAt:
		return formSeconds, nil
	case RoleBustTile:
		if leaf.Optional {
			return formTile, nil
		}
		return formTileOrNone, nil
	}
	return formAmount, nil // nonce
}

// Fits says why a value of the path's type cannot be that of the role; nil if it
// can.
func (f *FieldMapping) Fits(leaf idl.Leaf) error {
	_, err := formOf(f, leaf)
	return err
}

// unitFits refuses a unit that the role has no use for.
func unitFits(f *FieldMapping) error {
	fits := f.Unit == ""
	switch f.Role {
	case RoleStake, RoleMaxPayout, RoleMultiplier, RolePayout, RoleRefund:
		fits = fits || f.Unit == UnitTokens
	case RoleHouseEdge:
		fits = fits || f.Unit == UnitBPS || f.Unit == UnitPPB
	case RoleMinesMask, RoleRevealedMask:
		fits = fits || f.Unit == UnitTiles || f.Unit == UnitFlags
	case RoleLost:
		fits = fits || f.Unit == UnitWon
	}
	if !fits {
		return fmt.Errorf("unit %.20q does not go with it", f.Unit)
	}
	if f.Decimals < 0 || f.Decimals > maxDecimals {
		return fmt.Errorf("%d decimals: want 0 to %d", f.Decimals, maxDecimals)
	}
	return nil
}

func keyForm(t *idl.Type) (form, error) {
	switch {
	case t.Kind == idl.Pubkey || holds32(t):
		return formKey, nil
	case t.Kind == idl.String:
		return formKeyText, nil
	}
	return 0, errors.New("want a pubkey, 32 bytes, or a string of base58")
}

func hashForm(t *idl.Type) (form, error) {
	switch {
	case t.Kind == idl.Pubkey || holds32(t):
		return formHash, nil
	case t.Kind == idl.String:
		return formHashText, nil
	}
	return 0, errors.New("want 32 bytes, or a string of hex")
}

// holds32 reports whether values may be 32 bytes.
func holds32(t *idl.Type) bool {
	switch t.Kind {
	case idl.Bytes:
		return true
	case idl.Vec:
		return t.Elem.Kind == idl.U8
	case idl.Array:
		return t.Elem.Kind == idl.U8 && t.Len == 32
	}
	return false
}

func amountForm(t *idl.Type, unit Unit) (form, error) {
	switch {
	case isInteger(t.Kind):
		return formAmount, nil
	case t.Kind != idl.F32 && t.Kind != idl.F64:
		return 0, errors.New("want an integer or a float")
	case unit != UnitTokens:
		return 0, errors.New("a float needs decimals: N, the power of ten that makes it whole")
	}
	return formFloat, nil
}

func maskForm(t *idl.Type, unit Unit) (form, error) {
	switch t.Kind {
	case idl.Vec, idl.Array:
	case idl.Bytes:
		return listForm(idl.Vec, unit)
	default:
		if isInteger(t.Kind) && unit == "" {
			return formMask, nil
		}
		if isInteger(t.Kind) {
			return 0, errors.New("an integer has a bit for each tile, and no unit")
		}
		return 0, errors.New("want an integer of a bit for each tile, a list of bools, or a list of tiles")
	}
	elem := t.Elem.Kind
	switch {
	case elem == idl.Bool && unit != UnitTiles:
		return formFlags, nil
	case isInteger(elem):
		return listForm(t.Kind, unit)
	}
	return 0, errors.New("want a list of bools, of tiles, or of numbers that are a flag for each tile")
}

// listForm is of lists of integers: an array of fixed length is likely to be a
// board, and has to say so.
func listForm(kind idl.Kind, unit Unit) (form, error) {
	switch {
	case unit == UnitFlags:
		return formFlags, nil
	case unit == UnitTiles || kind == idl.Vec:
		return formTiles, nil
	}
	return 0, errors.New("an array of numbers may list tiles or have a flag for each tile: say unit: tiles or unit: flags")
}

func lostForm(t *idl.Type, optional bool, unit Unit) (form, error) {
	won := unit == UnitWon
	switch {
	case t.Kind == idl.Bool && won:
		return formWon, nil
	case t.Kind == idl.Bool:
		return formLost, nil
	case t.Kind == idl.Enum:
		return 0, errors.New("name the variant, after a dot")
	case !optional:
		return 0, errors.New("want a bool, or a variant that may be there or not")
	case won:
		return formAbsence, nil
	}
	return formPresence, nil
}

func isInteger(k idl.Kind) bool { return k >= idl.U8 && k <= idl.I256 }

// decidesByPresence tells forms for which a value that is not there is an answer.
func (f form) decidesByPresence() bool {
	return f == formTile || f == formPresence || f == formAbsence
}

// String names the form. Hashes that databases remember have these names in them:
// see Canonical.
func (f form) String() string {
	names := [...]string{
		"key", "key in base58", "number in place of a key", "hash", "hash in hex", "number", "float",
		"count", "edge", "seconds", "tile if there is one", "tile, or none if below 0 or 255", "bit for each tile",
		"flag for each tile", "list of tiles", "lost if true", "won if true", "lost if there", "won if there",
	}
	if int(f) < len(names) {
		return names[f]
	}
	return "unknown"
}
