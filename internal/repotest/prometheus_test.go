package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/compose-spec/compose-go/v2/types"
)

// rule is an alert of deploy/prometheus/rules.yml.
type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func prometheusFile(name string) string { return filepath.Join(root, "deploy", "prometheus", name) }

func rules(t *testing.T) []rule {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal(read(t, prometheusFile("rules.yml")), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) == 0 {
		t.Fatal("rules.yml is not one group of rules")
	}
	return file.Groups[0].Rules
}

// Every alert says how bad it is, what it means, and where to read on.
func TestAlertsSayWhatToDo(t *testing.T) {
	headings := regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(string(read(t, prometheusFile("README.md"))), -1)
	var described []string
	for _, h := range headings {
		described = append(described, h[1])
	}
	var named []string
	for _, r := range rules(t) {
		named = append(named, r.Alert)
		if !regexp.MustCompile(`^([A-Z][a-z]+)+$`).MatchString(r.Alert) {
			t.Errorf("%s is not CamelCase", r.Alert)
		}
		if !slices.Contains([]string{"critical", "warning", "none"}, r.Labels["severity"]) {
			t.Errorf("%s has severity %q", r.Alert, r.Labels["severity"])
		}
		if r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%s has no summary or no description", r.Alert)
		}
		if want := "deploy/prometheus/README.md#" + strings.ToLower(r.Alert); r.Annotations["runbook_url"] != want {
			t.Errorf("%s points to %q, want %q", r.Alert, r.Annotations["runbook_url"], want)
		}
	}
	if !slices.Equal(named, described) {
		t.Errorf("alerts %v, described %v", named, described)
	}
	for _, want := range strings.Fields("MismatchMade MismatchStanding VoidRateOverCeiling BehindHead GapOpen RecordStalled ScrapeGone Watchdog") {
		if !slices.Contains(named, want) {
			t.Errorf("no alert %s", want)
		}
	}
}

// metricNames are all texts in our sources that may name a metric, with the
// prefix that the packages put before them.
func metricNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, s := range sources(t) {
		file, err := parser.ParseFile(token.NewFileSet(), s.file, read(t, s.file), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					names[text], names["minesaudit_"+text] = true, true
				}
			}
			return true
		})
	}
	return names
}

// A rule on a metric that nobody exports never fires.
func TestAlertsUseMetricsThatExist(t *testing.T) {
	known := metricNames(t)
	metric := regexp.MustCompile(`minesaudit_\w+`)
	used := 0
	for _, r := range rules(t) {
		for _, name := range metric.FindAllString(r.Expr, -1) {
			used++
			if !known[name] {
				t.Errorf("%s uses %s, which nothing exports", r.Alert, name)
			}
		}
	}
	for _, name := range metric.FindAllString(string(read(t, prometheusFile("README.md"))), -1) {
		if !known[name] {
			t.Errorf("the README names %s, which nothing exports", name)
		}
	}
	if used < 8 || known["minesaudit_no_such_metric"] {
		t.Errorf("%d uses found: the search is broken", used)
	}
}

func TestAlertRulesBehave(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Fatalf("promtool is missing (%v): make setup installs it, or apt-get install --no-install-recommends prometheus", err)
	}
	for _, name := range []string{"prometheus.yml", "rules.yml", "rules_test.yml", "rules_void_test.yml"} {
		read(t, prometheusFile(name)) // see the package comment
	}
	for _, args := range [][]string{
		{"check", "config", prometheusFile("prometheus.yml")},
		{"test", "rules", prometheusFile("rules_test.yml"), prometheusFile("rules_void_test.yml")},
	} {
		if out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	tested := string(read(t, prometheusFile("rules_test.yml"))) + string(read(t, prometheusFile("rules_void_test.yml")))
	for _, r := range rules(t) {
		if !regexp.MustCompile(`alertname: ` + r.Alert + `\n\s+exp_alerts:( &\w+)?\n`).MatchString(tested) {
			t.Errorf("no test in which %s fires", r.Alert)
		}
	}
}

// The container finds every file that its configuration names.
func TestComposeMountsTheRules(t *testing.T) {
	var conf struct {
		RuleFiles []string `yaml:"rule_files"`
	}
	if err := yaml.Unmarshal(read(t, prometheusFile("prometheus.yml")), &conf); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(conf.RuleFiles, []string{"rules.yml"}) {
		t.Errorf("rule files %v", conf.RuleFiles)
	}
	volumes := service(t, compose(t), "prometheus").Volumes
	for _, name := range append(conf.RuleFiles, "prometheus.yml") {
		want := prometheusFile(name)
		if !slices.ContainsFunc(volumes, func(v types.ServiceVolumeConfig) bool {
			source, err := filepath.Rel(root, want)
			return err == nil && strings.HasSuffix(v.Source, source) && v.Target == "/etc/prometheus/"+name && v.ReadOnly && exists(want)
		}) {
			t.Errorf("%s is not mounted", name)
		}
	}
}
