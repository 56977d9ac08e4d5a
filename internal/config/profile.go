package config

import (
	"fmt"
	"slices"
	"strings"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// BuiltinMines is the default profile, and the name of its event layout.
const BuiltinMines = "builtin:mines"

// builtinPrefix sets the names of profiles that need no file apart from paths.
const builtinPrefix = "builtin:"

// maxOperators bounds the list that each void is compared with.
const maxOperators = 1000

// defaultVoidRateCeiling is the share of voided games above which a void rate
// is worth a look where the profile does not say.
const defaultVoidRateCeiling = 0.02

// Profile settles for one program what the texts of the game leave open.
type Profile struct {
	Name    string // as given: builtin:mines or the file's path
	Program string // base58; empty if the profile fits any program

	Layout      *decode.Layout // which events are starts and ends, and where their fields are
	IDLs        []IDLFile      // that Layout was made of, by slot; none of the built-in one
	EventsIn    decode.Where   // by which ways the program emits
	LogMessages bool           // and in lines of text

	Payout            verify.Rules   // convention of multiplier and payout; Operators unset, see Rules
	PayoutFromBalance decode.Balance // where a payout that no event publishes is taken from
	Operators         [][32]byte     // keys that may void before the timeout: sorted, each once; empty if unknown
	VoidRateCeiling   float64        // 0 to 1: share of voided games that an alert takes as its bound
}

// Builtin is the profile builtin:mines.
func Builtin() Profile {
	rules := verify.DefaultRules()
	rules.Operators = nil
	return Profile{Name: BuiltinMines, Layout: decode.BuiltinLayout(), Payout: rules, VoidRateCeiling: defaultVoidRateCeiling}
}

// LoadProfile returns the profile of a builtin name or of a YAML file. Its error
// lists all problems with their lines and matches ErrUsage.
func LoadProfile(nameOrPath string) (Profile, error) {
	var bad problems
	if nameOrPath == BuiltinMines {
		return Builtin(), nil
	}
	if nameOrPath == "" || strings.HasPrefix(nameOrPath, builtinPrefix) {
		bad.addf("%q is no profile: %s or the path of a YAML file", nameOrPath, BuiltinMines)
		return Profile{}, bad.err()
	}
	data, err := readFile(nameOrPath)
	if err != nil {
		bad.addf("no readable profile: %w: %s or the path of a YAML file", err, BuiltinMines)
		return Profile{}, bad.err()
	}
	profile, bad := parseProfile(data, beside(nameOrPath))
	if len(bad) > 0 {
		return Profile{}, bad.within(nameOrPath).err()
	}
	profile.Name = nameOrPath
	return profile, nil
}

// Rules is what games of the program are judged by.
func (p *Profile) Rules() verify.Rules {
	rules := p.Payout
	rules.Operators = slices.Clone(p.Operators)
	return rules
}

// profileFile is the shape of a profile in YAML. What is left out is as in
// builtin:mines.
type profileFile struct {
	Program         string      `yaml:"program"`
	Layout          string      `yaml:"layout"`
	IDL             []idlFile   `yaml:"idl"`
	EventsIn        string      `yaml:"events_in"`
	LogMessages     bool        `yaml:"log_messages"`
	Key             []string    `yaml:"key"`
	Started         []eventFile `yaml:"started"`
	Settled         []eventFile `yaml:"settled"`
	Voided          []eventFile `yaml:"voided"`
	Payout          payoutFile  `yaml:"payout"`
	Operators       []string    `yaml:"operators"`
	VoidRateCeiling float64     `yaml:"void_rate_ceiling"`
}

type payoutFile struct {
	Scale          uint64 `yaml:"scale"`
	Rounding       string `yaml:"rounding"`
	Cap            string `yaml:"cap"`
	PayoutFrom     string `yaml:"payout_from"`
	LostMultiplier string `yaml:"lost_multiplier"`
	Balance        string `yaml:"balance"`
}

// parseProfile reads a profile's YAML and the IDLs that it names, by read; its
// problems carry lines, not the file.
func parseProfile(data []byte, read func(name string) ([]byte, error)) (Profile, problems) {
	var file profileFile
	set, bad := decodeStrict(data, &file)
	r := profileReader{set: set, bad: bad}
	p := Builtin()
	if r.has("program") {
		if _, err := ParseKey(file.Program); err != nil {
			r.reject("program", err)
		}
		p.Program = file.Program
	}
	r.layout(&p, &file, read)
	r.payout(&p.Payout, file.Payout)
	parseSetting(&r, "payout.balance", file.Payout.Balance, decode.ParseBalance, &p.PayoutFromBalance)
	if r.has("operators") {
		p.Operators = r.operators(file.Operators)
	}
	if r.has("void_rate_ceiling") {
		if !(file.VoidRateCeiling >= 0 && file.VoidRateCeiling <= 1) { // NaN is neither
			r.reject("void_rate_ceiling", fmt.Errorf("%v is not a share from 0 to 1", file.VoidRateCeiling))
		}
		p.VoidRateCeiling = file.VoidRateCeiling
	}
	return p, r.bad
}

// profileReader turns texts of a profile into values and keeps what is wrong.
type profileReader struct {
	set lines
	bad problems
}

func (r *profileReader) has(key string) bool { return r.set[key] > 0 }

func (r *profileReader) reject(key string, err error) {
	r.bad.addf("line %d: %s: %w", r.set[key], key, err)
}

func (r *profileReader) payout(rules *verify.Rules, file payoutFile) {
	if r.has("payout.scale") {
		if file.Scale < 1 || file.Scale > verify.MaxScale {
			r.reject("payout.scale", fmt.Errorf("%d is not from 1 to %d", file.Scale, uint64(verify.MaxScale)))
		}
		rules.Scale = file.Scale
	}
	parseSetting(r, "payout.rounding", file.Rounding, verify.ParseRounding, &rules.Rounding)
	parseSetting(r, "payout.cap", file.Cap, verify.ParseCapMode, &rules.Cap)
	parseSetting(r, "payout.payout_from", file.PayoutFrom, verify.ParsePayoutFrom, &rules.PayoutFrom)
	parseSetting(r, "payout.lost_multiplier", file.LostMultiplier, verify.ParseLostMultiplier, &rules.LostMultiplier)
}

// parseSetting sets target where the key is set.
func parseSetting[T any](r *profileReader, key, text string, parse func(string) (T, error), target *T) {
	if !r.has(key) {
		return
	}
	value, err := parse(clip(text)) // no known setting is as long as what clip cuts
	if err != nil {
		r.reject(key, err)
		return
	}
	*target = value
}

func (r *profileReader) operators(texts []string) [][32]byte {
	if len(texts) > maxOperators {
		r.reject("operators", fmt.Errorf("%d keys are more than %d", len(texts), maxOperators))
		return nil
	}
	keys := make([][32]byte, 0, len(texts))
	for i, text := range texts {
		key, err := ParseKey(text)
		if err != nil {
			r.reject("operators", fmt.Errorf("key %d: %w", i+1, err))
			continue
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(keys)
}
