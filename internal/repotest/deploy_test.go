package repotest

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v3"

	"minesaudit/internal/config"
)

// compose loads docker-compose.yml as `docker compose` does, with what .env must
// hold and all profiles.
func compose(t *testing.T) *types.Project {
	t.Helper()
	path := filepath.Join(root, "docker-compose.yml")
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  dir,
		ConfigFiles: []types.ConfigFile{{Filename: path, Content: read(t, path)}},
		Environment: types.Mapping{"MINESAUDIT_PROGRAM": "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu", "MINESAUDIT_FROM": "genesis"},
	}, loader.WithProfiles([]string{"*"}))
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func service(t *testing.T, project *types.Project, name string) types.ServiceConfig {
	t.Helper()
	s, err := project.GetService(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestComposeNamesTheProgramToAudit(t *testing.T) {
	path := filepath.Join(root, "docker-compose.yml")
	_, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: path, Content: read(t, path)}},
		Environment: types.Mapping{},
	})
	if err == nil || !strings.Contains(err.Error(), "MINESAUDIT_PROGRAM") {
		t.Errorf("without .env: %v", err)
	}
}

func TestComposeSetsVariablesThatExist(t *testing.T) {
	env := service(t, compose(t), "indexer").Environment
	for name := range env {
		if !slices.Contains(config.EnvNames(), name) {
			t.Errorf("the indexer knows no %s", name)
		}
	}
	if from := env["MINESAUDIT_FROM"]; from == nil || *from != "genesis" {
		t.Error("a setting of .env does not reach the indexer")
	}
}

// The indexer must find its configuration right as the file gives it.
func TestComposeConfigurationIsValid(t *testing.T) {
	project := compose(t)
	env := service(t, project, "indexer").Environment
	c := config.Default()
	c.RPCURL, c.DatabaseURL = "http://node.example", "postgres://minesaudit:x@postgres:5432/minesaudit"
	c.Program, c.Listen, c.LogFormat = *env["MINESAUDIT_PROGRAM"], *env["MINESAUDIT_LISTEN"], *env["MINESAUDIT_LOG_FORMAT"]
	if _, err := c.Check(); err != nil {
		t.Error(err)
	}
}

// A variable that names a file names one that a secret is mounted at, and every
// secret is used.
func TestComposeSecretsAreFiles(t *testing.T) {
	project := compose(t)
	used := map[string]bool{}
	for _, s := range project.Services {
		mounted := map[string]bool{}
		for _, secret := range s.Secrets {
			mounted["/run/secrets/"+secret.Source] = true
			if _, ok := project.Secrets[secret.Source]; !ok {
				t.Errorf("%s mounts %s, which is not declared", s.Name, secret.Source)
			}
		}
		for name, value := range s.Environment {
			if value == nil || !strings.HasSuffix(name, "_FILE") {
				continue
			}
			used[filepath.Base(*value)] = true
			if !mounted[*value] {
				t.Errorf("%s: %s names %s, where nothing is mounted", s.Name, name, *value)
			}
		}
		for _, secret := range []string{"PASSWORD", "RPC_URL", "DATABASE_URL"} {
			for name := range s.Environment {
				if strings.HasSuffix(name, secret) {
					t.Errorf("%s has the secret %s in its environment", s.Name, name)
				}
			}
		}
	}
	for name, secret := range project.Secrets {
		if !used[name] || !strings.HasPrefix(secret.File, filepath.Join(project.WorkingDir, "secrets")+string(filepath.Separator)) {
			t.Errorf("secret %s: used %v, file %s", name, used[name], secret.File)
		}
	}
	for _, ignored := range []string{"/secrets/", "/.env"} {
		if lines := strings.Split(string(read(t, filepath.Join(root, ".gitignore"))), "\n"); !slices.Contains(lines, ignored) {
			t.Errorf(".gitignore does not name %s", ignored)
		}
	}
}

func TestComposeStartsInOrderAndListensOnLoopback(t *testing.T) {
	project := compose(t)
	indexer := service(t, project, "indexer")
	if got := indexer.DependsOn["postgres"].Condition; got != types.ServiceConditionHealthy {
		t.Errorf("the indexer starts when postgres is %q", got)
	}
	for _, name := range []string{"postgres", "indexer"} {
		if check := service(t, project, name).HealthCheck; check == nil || len(check.Test) == 0 {
			t.Errorf("%s has no health check", name)
		}
	}
	if got := strings.Join(indexer.HealthCheck.Test, " "); got != "CMD /indexer healthcheck" {
		t.Errorf("the health check is %q; the image has no shell", got)
	}
	if dockerfile := filepath.Join(indexer.Build.Context, indexer.Build.Dockerfile); !exists(dockerfile) {
		t.Errorf("no %s", dockerfile)
	}
	for _, s := range project.Services {
		for _, port := range s.Ports {
			if ip := net.ParseIP(port.HostIP); ip == nil || !ip.IsLoopback() {
				t.Errorf("%s shows port %s on %q", s.Name, port.Published, port.HostIP)
			}
		}
	}
}

// The tag decides where the image keeps its data: since 18 not in this folder.
func TestComposeKeepsTheDatabase(t *testing.T) {
	postgres := service(t, compose(t), "postgres")
	major := regexp.MustCompile(`^postgres:1[5-7]\b`)
	if !major.MatchString(postgres.Image) {
		t.Errorf("image %s", postgres.Image)
	}
	if len(postgres.Volumes) != 1 || postgres.Volumes[0].Type != types.VolumeTypeVolume || postgres.Volumes[0].Target != "/var/lib/postgresql/data" {
		t.Errorf("volumes %+v", postgres.Volumes)
	}
}

func TestPrometheusScrapesTheIndexer(t *testing.T) {
	project := compose(t)
	prometheus := service(t, project, "prometheus")
	if !slices.Equal(prometheus.Profiles, []string{"monitoring"}) {
		t.Errorf("profiles %v", prometheus.Profiles)
	}
	mounted := slices.IndexFunc(prometheus.Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Target == "/etc/prometheus/prometheus.yml"
	})
	if mounted < 0 {
		t.Fatal("prometheus has no configuration mounted")
	}
	var conf struct {
		ScrapeConfigs []struct {
			JobName       string `yaml:"job_name"`
			MetricsPath   string `yaml:"metrics_path"`
			StaticConfigs []struct {
				Targets []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal(read(t, prometheus.Volumes[mounted].Source), &conf); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(*service(t, project, "indexer").Environment["MINESAUDIT_LISTEN"])
	if err != nil {
		t.Fatal(err)
	}
	jobs := conf.ScrapeConfigs
	if len(jobs) != 1 || jobs[0].JobName != module || jobs[0].MetricsPath != "" ||
		len(jobs[0].StaticConfigs) != 1 || !slices.Equal(jobs[0].StaticConfigs[0].Targets, []string{"indexer:" + port}) {
		t.Errorf("jobs %+v, want one that scrapes indexer:%s", jobs, port)
	}
	if _, def, _ := net.SplitHostPort(config.Default().Listen); port != def {
		t.Errorf("the container listens on %s, the program by default on %s", port, def)
	}
}

func TestDockerfile(t *testing.T) {
	text := string(read(t, filepath.Join(root, "deploy", "Dockerfile")))
	version := regexp.MustCompile(`(?m)^go (1\.\d+)`).FindStringSubmatch(string(read(t, filepath.Join(root, "go.mod"))))
	if version == nil {
		t.Fatal("go.mod names no Go version")
	}
	for _, want := range []string{
		"golang:" + version[1] + " AS build", "CGO_ENABLED=0", "-trimpath", "./cmd/indexer",
		"\nFROM gcr.io/distroless/static-debian12:nonroot\n", "\nUSER nonroot:nonroot\n", "\nENTRYPOINT [\"/indexer\"]\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", strings.TrimSpace(want))
		}
	}
	// What the build reads must be in its context.
	ignore := strings.Split(string(read(t, filepath.Join(root, ".dockerignore"))), "\n")
	for _, want := range []string{"*", "!go.mod", "!go.sum", "!cmd", "!internal", "!migrations"} {
		if !slices.Contains(ignore, want) {
			t.Errorf(".dockerignore has no line %s", want)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
