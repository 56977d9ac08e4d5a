package repotest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/config"
)

// unit maps section.key to its values, in order.
func unit(t *testing.T) map[string][]string {
	t.Helper()
	settings := map[string][]string{}
	section := ""
	for n, line := range strings.Split(string(read(t, filepath.Join(root, "deploy", "systemd", "indexer.service"))), "\n") {
		switch key, value, isSetting := strings.Cut(line, "="); {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		case !isSetting || section == "" || !regexp.MustCompile(`^[A-Z][A-Za-z]+$`).MatchString(key) || strings.HasSuffix(value, " "):
			t.Fatalf("line %d is no setting: %q", n+1, line)
		default:
			settings[section+"."+key] = append(settings[section+"."+key], value)
		}
	}
	return settings
}

func TestUnitStartsWhatExists(t *testing.T) {
	line := declared(t)
	words := strings.Fields(unit(t)["Service.ExecStart"][0])
	if words[0] != "/usr/local/bin/indexer" || !line.commands[words[1]] {
		t.Errorf("it starts %v", words)
	}
	for _, word := range words[2:] {
		if flag, isFlag := strings.CutPrefix(word, "--"); isFlag && !line.flags[flag] {
			t.Errorf("there is no --%s", flag)
		}
	}
}

// Secrets come as credentials, each of them is handed on, and nothing else in
// the environment is one.
func TestUnitHandsSecretsOverAsFiles(t *testing.T) {
	settings := unit(t)
	credentials := map[string]bool{}
	for _, c := range settings["Service.LoadCredential"] {
		name, path, ok := strings.Cut(c, ":")
		if !ok || !strings.HasPrefix(path, "/etc/minesaudit/") {
			t.Errorf("credential %s", c)
		}
		credentials[name] = false
	}
	for _, setting := range settings["Service.Environment"] {
		name, value, _ := strings.Cut(setting, "=")
		if !slices.Contains(config.EnvNames(), name) {
			t.Errorf("nothing reads %s", name)
		}
		switch file, isCredential := strings.CutPrefix(value, "%d/"); {
		case strings.HasSuffix(name, "_FILE") != isCredential:
			t.Errorf("%s is %s", name, value)
		case isCredential:
			if _, loaded := credentials[file]; !loaded {
				t.Errorf("%s names %s, which is not loaded", name, file)
			}
			credentials[file] = true
		case slices.Contains(config.EnvNames(), name+"_FILE"):
			t.Errorf("the secret %s stands in the environment", name)
		}
	}
	for name, used := range credentials {
		if !used {
			t.Errorf("credential %s is loaded and not used", name)
		}
	}
	if !slices.Contains(settings["Service.Environment"], "MINESAUDIT_DATA_DIR=%S/"+settings["Service.StateDirectory"][0]) {
		t.Error("the state directory is not where the private database goes")
	}
}

func TestUnitIsHardened(t *testing.T) {
	settings := unit(t)
	for key, want := range map[string]string{
		"DynamicUser": "yes", "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "ProtectSystem": "strict", "ProtectHome": "yes",
		"PrivateTmp": "yes", "PrivateDevices": "yes", "PrivateUsers": "yes", "ProtectProc": "invisible", "ProtectClock": "yes", "ProtectHostname": "yes",
		"ProtectControlGroups": "yes", "ProtectKernelLogs": "yes", "ProtectKernelModules": "yes", "ProtectKernelTunables": "yes",
		"LockPersonality": "yes", "MemoryDenyWriteExecute": "yes", "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
		"RestrictNamespaces": "yes", "RestrictRealtime": "yes", "RestrictSUIDSGID": "yes", "SystemCallArchitectures": "native", "UMask": "0077",
		"SystemCallFilter": "@system-service", "Restart": "always", "KillMode": "mixed", "Type": "exec",
	} {
		if got := settings["Service."+key]; len(got) == 0 || got[0] != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for _, key := range []string{"MemoryMax", "TimeoutStopSec", "RestartSec", "RestartMaxDelaySec"} {
		if len(settings["Service."+key]) != 1 {
			t.Errorf("%s is not set once", key)
		}
	}
	if got := settings["Unit.StartLimitIntervalSec"]; !slices.Equal(got, []string{"0"}) {
		t.Errorf("it gives up after a while: %q", got)
	}
	if settings["Service.RestartPreventExitStatus"] != nil {
		t.Error("a crash, whose code is that of a bad configuration, would not be restarted")
	}
}
