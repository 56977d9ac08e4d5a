package idl

// A definition is an entry of "types" whose body is not read before an event
// needs it.
type definition struct {
	generics []string
	packing  packing
	body     map[string]any
	problem  error // it cannot be used
}

func readDefinition(entry map[string]any) definition {
	d := definition{body: object(entry["type"])}
	for _, g := range list(entry["generics"]) {
		parameter := text(g) // a mere name in the legacy form
		if parameter == "" {
			parameter = text(object(g)["name"])
		}
		d.generics = append(d.generics, parameter)
	}
	d.packing, d.problem = readPacking(entry["serialization"], object(entry["repr"]))
	return d
}
