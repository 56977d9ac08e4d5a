package simchain

import (
	"fmt"
	"strings"
)

// ParseNodeFaults reads what goes wrong with each of several nodes: lists of
// faults with semicolons between the nodes'. One list alone is every node's; fewer
// lists than nodes leave the last nodes without faults.
func ParseNodeFaults(lists string, nodes int) ([][]Fault, error) {
	each := make([][]Fault, nodes)
	texts := strings.Split(lists, ";")
	for i, text := range texts {
		kinds, err := ParseFaults(text)
		if err != nil {
			return nil, err
		}
		switch {
		case len(texts) == 1:
			for j := range each {
				each[j] = kinds
			}
		case i < nodes:
			each[i] = kinds
		case len(kinds) > 0:
			return nil, fmt.Errorf("%w: %d lists of faults for %d nodes: give as many nodes, or fewer lists", ErrConfig, len(texts), nodes)
		}
	}
	return each, nil
}
