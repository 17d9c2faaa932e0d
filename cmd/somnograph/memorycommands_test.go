package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// piped runs a command with a text on its standard input.
func piped(t *testing.T, in string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := command(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// must runs a command that succeeds, and returns its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := output(t, args...)
	if code != exitOK {
		t.Fatalf("%v: code %d, %s", args, code, errs)
	}
	return out
}

func TestRememberRefusesOtherEncodings(t *testing.T) {
	if _, errs, code := piped(t, "caf\xe9", "remember", "-", "--data", t.TempDir()); code != exitUsage || !strings.Contains(errs, "UTF-8") {
		t.Errorf("code %d, %s", code, errs)
	}
}

// The commands of a memory work alike on a server and on a data directory.
func TestMemoryCommands(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	memoryCommands(t, "--addr", s.url)
	t.Run("a directory that a server has open", func(t *testing.T) {
		if out := succeed(t, "search", "Where does Lina live?", "--data", dir); !strings.Contains(out, "Bruges") {
			t.Errorf("search: %s", out)
		}
	})
	s.stop()
	t.Run("the directory of a stopped server", func(t *testing.T) {
		if out := succeed(t, "search", "Where does Lina live?", "--data", dir); !strings.Contains(out, "Bruges") {
			t.Errorf("search: %s", out)
		}
		if out := succeed(t, "remember", "The winch was oiled.", "--data", dir); !strings.Contains(out, "remembered") {
			t.Errorf("remember: %s", out)
		}
		if out := succeed(t, "search", "winch", "--data", dir); !strings.Contains(out, "oiled") {
			t.Errorf("the memory was lost: %s", out)
		}
	})
	for want, args := range map[string][]string{
		"there is no directory":   {"--data", filepath.Join(dir, "nowhere")},
		"exclude each other":      {"--data", dir, "--addr", "127.0.0.1:1"},
		"no server answers at":    {"--addr", "127.0.0.1:1"},
		"is not the address of a": {"--addr", "::"},
	} {
		if _, errs, code := output(t, append([]string{"search", "x"}, args...)...); code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
}

// memoryCommands writes, reads and erases through the commands.
func memoryCommands(t *testing.T, where ...string) {
	t.Helper()
	with := func(args ...string) []string { return append(args, where...) }
	about := []string{"--user", "lina", "--namespace", "my-app/dev"}
	first := succeed(t, with(append([]string{"remember", "Lina", "lives in Ghent."}, about...)...)...)
	if !strings.Contains(first, "my-app/dev/SEMANTIC  remembered") {
		t.Errorf("remember: %s", first)
	}
	for i, want := range []string{"revises " + strings.Fields(first)[0], "known already"} {
		out, errs, code := piped(t, "Lina lives in Bruges now.\n", with(append([]string{"remember", "--external-id", "crm/1"}, about...)...)...)
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("remember from a pipe, %d: code %d, %s%s", i, code, out, errs)
		}
	}
	var r struct {
		Memory   struct{ ID, ExternalID, Content string }
		Replayed bool
	}
	out, errs, code := piped(t, "Lina lives in Bruges now.", with(append([]string{"remember", "-", "--json", "--external-id", "crm/1"}, about...)...)...)
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK || !r.Replayed || r.Memory.ExternalID != "crm/1" || r.Memory.Content != "Lina lives in Bruges now." {
		t.Errorf("remember --json: code %d, %s%s", code, out, errs)
	}
	if _, errs, code := output(t, with(append([]string{"remember", "Lina lives in Lier.", "--external-id", "crm/1"}, about...)...)...); code != exitFailed || !strings.Contains(errs, "externalId: is that of memory "+r.Memory.ID) {
		t.Errorf("another text for the external id: code %d, %s", code, errs)
	}
	if out := succeed(t, with("context", "Where does Lina live?", "--user", "lina")...); !strings.Contains(out, "Bruges") || strings.Contains(out, "Ghent") {
		t.Errorf("context: %s", out)
	}
	var p struct {
		Text        string
		TotalTokens int
	}
	if err := json.Unmarshal([]byte(succeed(t, with("context", "Where does Lina live?", "--user", "lina", "--format", "xml", "--json")...)), &p); err != nil || !strings.Contains(p.Text, "<") || p.TotalTokens == 0 {
		t.Errorf("context --json: %+v, %v", p, err)
	}
	if out := succeed(t, with("facts", "Lina", "--user", "lina", "--past")...); !strings.Contains(out, "Ghent") || strings.Index(out, "Bruges") > strings.Index(out, "Ghent") {
		t.Errorf("facts: %s", out)
	}
	if out := succeed(t, with("facts", "nobody", "--json")...); strings.TrimSpace(out) != "[]" {
		t.Errorf("facts of nobody: %s", out)
	}

	spare := strings.Fields(succeed(t, with("remember", "The spare key hangs in the shed.", "--external-id", "key")...))[0]
	if out := succeed(t, with("forget", "--external-id", "key", "--dry-run")...); out != "1 memory would be erased\n" {
		t.Errorf("forget --dry-run: %s", out)
	}
	if _, errs, code := piped(t, "y\n", with("forget", spare)...); code != exitUsage || !strings.Contains(errs, "use --yes") {
		t.Errorf("forget without a person: code %d, %s", code, errs)
	}
	if out, errs, code := piped(t, spare+"\n", with("forget", "-", "--yes")...); code != exitOK || !strings.Contains(out, "1 memory erased\nreceipt ") {
		t.Errorf("forget: code %d, %s%s", code, out, errs)
	}
	if _, errs, code := output(t, with("forget", "--external-id", "key", "--yes")...); code != exitFailed || !strings.Contains(errs, "MEMORY_NOT_FOUND: externalId") {
		t.Errorf("forget again: code %d, %s", code, errs)
	}
}

// Wrong usage of the commands names the flag and what would be right, on one line.
func TestMemoryCommandsRefuseWrongUsage(t *testing.T) {
	for _, x := range []struct {
		want string
		args []string
	}{
		{`--consent must be EXPLICIT, IMPLICIT or NONE (got "maybe")`, []string{"remember", "x", "--consent", "maybe"}},
		{"--type must be EPISODIC,", []string{"remember", "x", "--type", "x"}},
		{"--meta must be JSON", []string{"remember", "x", "--meta", "{"}},
		{"--at must be a time such as", []string{"remember", "x", "--at", "yesterday"}},
		{"standard input is empty", []string{"remember", "-"}},
		{"standard input is empty", []string{"context"}},
		{"--format must be MARKDOWN, XML or JSON", []string{"context", "x", "--format", "yaml"}},
		{"--number must be 1 to 1,000 (got 0)", []string{"facts", "x", "-n", "0"}},
		{"--number must be 1 to 1,000 (got 1001)", []string{"clusters", "-n", "1001"}},
		{"--number must be 1 to 1,000 (got 0)", []string{"clusters", "show", "x", "-n", "0"}},
		{`there is no command "shw"; did you mean show?`, []string{"clusters", "shw"}},
		{"needs the id of a cluster", []string{"clusters", "show"}},
		{`--kind must be WORKFLOW, PREFERENCE, CONSTRAINT or FAILURE_SIGNATURE (got "habit")`, []string{"patterns", "--kind", "habit"}},
		{"--number must be 1 to 1,000 (got 0)", []string{"patterns", "-n", "0"}},
		{"needs the id of a pattern", []string{"patterns", "export"}},
		{"takes no argument", []string{"patterns", "conflicts", "x"}},
		{"exactly one of --external-id", []string{"forget", "--user", "a", "--namespace", "b"}},
		{"exactly one of --external-id", []string{"forget"}},
		{"takes no argument", []string{"tail", "x"}},
		{"--top must be 1 to 100 (got 0)", []string{"search", "-k", "0", "x"}},
		{"--mode must be ANSWER, MANAGER or BASE (got \"FOO\")", []string{"search", "--mode", "FOO", "x"}},
		{"--order must be DIVERSE or SCORE", []string{"search", "--order", "best", "x"}},
		{`--max-items must be a whole number (got "x")`, []string{"sleep", "--max-items", "x"}},
		{`--timeout must be a duration such as 90s or 2h (got "soon")`, []string{"ready", "--timeout", "soon"}},
		{`there is no command "serach"; did you mean search?`, []string{"serach", "x"}},
		{`there is no command "serach"; did you mean search?`, []string{"help", "serach"}},
		{`there is no command "health"; did you mean alarms?`, []string{"health"}},
		{`there is no command "bsh"; did you mean bash?`, []string{"completion", "bsh"}},
		{`there is no flag --ad for search; did you mean --addr?`, []string{"search", "x", "--ad", "y"}},
	} {
		_, errs, code := piped(t, "", x.args...)
		if code != exitUsage || !strings.Contains(errs, x.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: code %d, %q, want %q", x.args, code, errs, x.want)
		}
	}
}

// tail prints what happens, in order, and goes on after the server was away.
func TestTail(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	addr := strings.TrimPrefix(s.url, "http://")
	cursor, err := s.client().EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "tail", "--addr", addr, "--after", cursor, "--json", "-n", "2")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may have ended
	events := bufio.NewScanner(out)
	next := func() (kind, content string) {
		t.Helper()
		var e client.Event
		if !events.Scan() {
			t.Fatalf("the stream ended: %v", events.Err())
		}
		if err := json.Unmarshal(events.Bytes(), &e); err != nil || e.Memory == nil || e.Cursor == "" {
			t.Fatalf("%s: %v", events.Text(), err)
		}
		if strings.Contains(events.Text(), "0001-01-01") {
			t.Errorf("a time that is not set is printed: %s", events.Text())
		}
		return string(e.Kind), e.Memory.Content
	}
	remember(t, s.client(), "The mast was painted white.")
	if kind, content := next(); kind != "CREATED" || content != "The mast was painted white." {
		t.Errorf("first %s %q", kind, content)
	}
	s.stop()
	s = waitReady(t, &server{t: t, cmd: command(t, "serve", "--addr", addr, "--data", dir)})
	remember(t, s.client(), "The rudder was painted red.")
	if kind, content := next(); kind != "CREATED" || content != "The rudder was painted red." {
		t.Errorf("after the restart %s %q", kind, content)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// Without a server, tail ends as other commands do, also after a cursor.
func TestTailNeedsAServerAtFirst(t *testing.T) {
	for _, args := range [][]string{{"tail"}, {"tail", "--after", "x"}} {
		if _, errs, code := output(t, append(args, "--addr", "127.0.0.1:1")...); code != exitFailed || !strings.HasPrefix(errs, "somnograph: no server answers at") {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
}

// Ctrl-C is the end of tail, not a failure.
func TestTailEndsAtCtrlC(t *testing.T) {
	s := start(t, t.TempDir())
	cursor, err := s.client().EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "tail", "--addr", s.url, "--after", cursor)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may have ended
	id := remember(t, s.client(), "The mast was painted white.")
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.Contains(lines.Text(), "CREATED") || !strings.Contains(lines.Text(), id) || !strings.Contains(lines.Text(), "default/EPISODIC  The mast was painted white.") {
		t.Errorf("the line: %s", lines.Text())
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("tail: %v", err)
	}
}

// An import that Ctrl-C ends was interrupted: the exit code is that of a signal.
func TestInterruptedImport(t *testing.T) {
	s := start(t, t.TempDir())
	var line strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&line, `{"content": "note %d of the ship", "consent": "EXPLICIT", "onDuplicate": "INSERT"}`+"\n", i)
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(line.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cursor, err := s.client().EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "import", path, "--addr", s.url)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.client().Events(t.Context(), client.EventsOptions{After: cursor}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code says how
	if code := cmd.ProcessState.ExitCode(); code != exitKilled || !strings.Contains(errs.String(), "interrupted; the same command continues") {
		t.Errorf("code %d, %s", code, errs.String())
	}
	s.stop()
	if log := s.log.String(); strings.Contains(log, "item failed") || strings.Contains(log, "context canceled") {
		t.Errorf("the server logs: %s", log)
	}
}

// Standard input and output serve import and export.
func TestImportAndExportThroughPipes(t *testing.T) {
	old, fresh := t.TempDir(), t.TempDir()
	from, to := start(t, old), start(t, fresh)
	if out, errs, code := piped(t, `{"content": "The mast was painted white.", "consent": "EXPLICIT", "externalId": "mast"}`+"\n", "import", "-", "--addr", from.url); code != exitOK || !strings.Contains(out, "1 imported") {
		t.Errorf("import -: code %d, %s%s", code, out, errs)
	}
	lines := succeed(t, "export", "-", "--addr", from.url)
	if !strings.Contains(lines, `"ExternalID":"mast"`) || !strings.Contains(lines, `{"end":`) {
		t.Errorf("export -: %s", lines)
	}
	if out, errs, code := piped(t, lines, "import", "/dev/stdin", "--addr", to.url); code != exitOK || !strings.Contains(out, "imported 1 memory") {
		t.Errorf("import of an export: code %d, %s%s", code, out, errs)
	}
	succeed(t, "forget", "--external-id", "mast", "--yes", "--addr", from.url)
	another := start(t, t.TempDir())
	if out, errs, code := piped(t, lines, "import", "/dev/stdin", "--addr", another.url); code != exitOK || !strings.Contains(out, "left out because they were erased since the export: 1\n") {
		t.Errorf("import of an export from before an erasure: code %d, %s%s", code, out, errs)
	}
	another.stop()
	if out := succeed(t, "forget", "--external-id", "mast", "--dry-run", "--addr", to.url); out != "1 memory would be erased\n" {
		t.Errorf("the external id was not imported: %s", out)
	}
	if _, errs, code := output(t, "export", filepath.Join(t.TempDir(), "no", "x.ndjson"), "--addr", from.url); code != exitFailed || !strings.Contains(errs, "there is no directory") {
		t.Errorf("export to nowhere: code %d, %s", code, errs)
	}
	if _, errs, code := piped(t, "# Notes\n\n- buy rope\n- oil the winch\n", "import", "-", "--addr", from.url); code != exitFailed || strings.Count(errs, "JSON lines") != 1 || strings.Count(errs, "\n") > 2 || !strings.Contains(errs, "standard input: ") || strings.Contains(errs, "-: ") {
		t.Errorf("import of Markdown: code %d, %s", code, errs)
	}
	if _, errs, code := piped(t, "", "import", "-", "--dry-run", "--addr", from.url); code != exitUsage || !strings.Contains(errs, "standard input is not recognised") {
		t.Errorf("import - --dry-run: code %d, %s", code, errs)
	}
	from.stop()
	to.stop()
	for verb, dir := range map[string]string{"export": old, "import": fresh} {
		var e client.AuditEntry
		row := succeed(t, "audit", "export", "--data", dir, "--verb", verb)
		if err := json.Unmarshal([]byte(row), &e); err != nil || e.Principal != "loopback" || e.Outcome != "OK" || e.Count != 1 {
			t.Errorf("the audit of %s: %s, %v", verb, row, err)
		}
	}
}

func TestVersionHelpAndCompletion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		if out := succeed(t, args...); !regexp.MustCompile(`^somnograph \S+ \((commit [0-9a-f]{7,12}( of \S+)?, )?go[^,]+, \w+/\w+\)\n$`).MatchString(out) {
			t.Errorf("%v: %q", args, out)
		}
	}
	help := succeed(t, "--help")
	for _, want := range []string{"Run a server:", "Use the memory", "remember ", "completion ", "Help:"} {
		if !strings.Contains(help, want) {
			t.Errorf("--help lacks %q:\n%s", want, help)
		}
	}
	for shell, want := range map[string]string{"bash": "__start_somnograph", "zsh": "#compdef somnograph", "fish": "complete -c somnograph"} {
		if out := succeed(t, "completion", shell); !strings.Contains(out, want) {
			t.Errorf("completion %s: %.200s", shell, out)
		}
	}
	serve := succeed(t, "serve", "--help")
	for _, want := range []string{"Basics:", "Sleep:", "Models:", "--sleep-at time", "--max-content size", "--shutdown-timeout duration", "--sleep-pressure number"} {
		if !strings.Contains(serve, want) {
			t.Errorf("serve --help lacks %q:\n%s", want, serve)
		}
	}
}

// An export needs no running server if it names the data directory, and the error without one says so.
func TestExportOfAStoppedServer(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The mast was painted white.")
	s.stop()
	if _, errs, code := output(t, "export", at("none"), "--addr", "127.0.0.1:1"); code != exitFailed || !strings.Contains(errs, "no server answers") || !strings.Contains(errs, "a stopped server with --data") {
		t.Errorf("without a server: code %d, %s", code, errs)
	}
	if out := succeed(t, "export", at("lines"), "--data", at("data"), "--keys", at("keys")); !strings.HasPrefix(out, "1 memory, ") {
		t.Errorf("export --data: %q", out)
	}
	if text, err := os.ReadFile(at("lines")); err != nil || !strings.Contains(string(text), "The mast was painted white.") {
		t.Errorf("the file is %q, %v", text, err)
	}
}
