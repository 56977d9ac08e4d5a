package repotest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"minesaudit/internal/simchain"
)

// deploy/FAULTS.md names every fault that the simulated node has, a test for each row,
// and no test that is not there.
func TestThePageOfFaultsIsTrue(t *testing.T) {
	page := string(read(t, filepath.Join(root, "deploy", "FAULTS.md")))
	named := regexp.MustCompile(`\b([a-z][a-z0-9/]*)\.((?:Test|Fuzz)[A-Za-z0-9]+)`)
	replayed := regexp.MustCompile(`go test \./(?:internal|test|cmd)/(\S+) -run ([A-Za-z0-9]+)`)
	kind := regexp.MustCompile("`([a-z-]+)`")
	kinds, tests := map[string]bool{}, 0
	for row := range strings.Lines(page) {
		cells := strings.Split(row, "|")
		if len(cells) < 5 || strings.HasPrefix(cells[1], " --- ") || strings.HasPrefix(row, "| fault |") || strings.HasPrefix(row, "| lie |") || strings.HasPrefix(row, "| found |") {
			continue
		}
		for _, m := range kind.FindAllStringSubmatch(cells[1], -1) {
			kinds[m[1]] = true
		}
		found := append(named.FindAllStringSubmatch(row, -1), replayed.FindAllStringSubmatch(row, -1)...)
		if len(found) == 0 {
			t.Errorf("no test is named for%s", cells[1])
		}
		for _, m := range found {
			tests++
			if !declaredIn(t, m[1], m[2]) {
				t.Errorf("no test in package %s matches %s", m[1], m[2])
			}
		}
	}
	if tests < 50 {
		t.Errorf("%d tests are named; the search is broken", tests)
	}
	for _, k := range simchain.FaultKinds() {
		if !kinds[string(k.Fault)] {
			t.Errorf("the page does not tell of %s", k.Fault)
		}
	}
}

// declaredIn reports whether a package, which lies in internal, test or cmd, has a test
// of a name, or one that the go command would take for it.
func declaredIn(t *testing.T, pkg, test string) bool {
	t.Helper()
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)\(`)
	for _, top := range []string{"internal", "test", "cmd"} {
		files, err := filepath.Glob(filepath.Join(root, top, filepath.FromSlash(pkg), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, m := range declaration.FindAllStringSubmatch(string(read(t, file)), -1) {
				if m[1] == test || !strings.HasPrefix(test, "Test") && strings.Contains(m[1], test) {
					return true
				}
			}
		}
	}
	return false
}
