//! The files of `examples` and `packaging` that are copied and run: their metrics are those of the page,
//! their configurations have the settings of the schema, and the tools that they are for accept them.
//!
//! A tool that is missing skips its test aloud; `PGVEIL_REQUIRE_KIT` makes that a failure.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use super::{files, read, root};

/// The words of a text that begin with the prefix of metrics.
fn metrics(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.starts_with("pgveil_"))
}

#[test]
fn the_dashboard_and_the_rules_name_metrics_of_the_page() {
    let page = read("docs/metrics.md");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `pgveil_"));
    let names: Vec<String> = rows
        .map(|row| format!("pgveil_{}", row.split('`').next().unwrap()))
        .collect();
    assert!(names.len() > 15, "{names:?}");
    let mut used = std::collections::BTreeSet::new();
    for file in [
        "examples/grafana/pgveil.json",
        "examples/prometheus/alerts.yaml",
    ] {
        let text = read(file);
        for word in metrics(&text) {
            // A histogram is asked for its parts.
            let parts = ["_bucket", "_sum", "_count"];
            let base = parts.iter().find_map(|part| word.strip_suffix(part));
            let known = |name: &&String| *name == word || Some(name.as_str()) == base;
            let name = names.iter().find(known);
            assert!(name.is_some(), "{file}: {word} is not in docs/metrics.md");
            used.extend(name);
        }
    }
    let unused: Vec<_> = names.iter().filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "nothing shows {unused:?}");
    let dashboard: serde_json::Value =
        serde_json::from_str(&read("examples/grafana/pgveil.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let shows = |panel: &&serde_json::Value| panel["type"] != "row";
    for panel in panels.iter().filter(shows) {
        assert!(panel["targets"][0]["expr"].is_string(), "{panel}");
    }
}

/// The blocks of a YAML file that stand below this key, without what they are indented by.
fn blocks(text: &str, key: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(depth) = line
            .find(key)
            .filter(|_| line.trim_start().starts_with(key))
        else {
            continue;
        };
        let mut block = String::new();
        let belongs =
            |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > depth;
        while let Some(line) = lines.next_if(belongs) {
            writeln!(block, "{}", line.get(depth + 2..).unwrap_or_default()).unwrap();
        }
        blocks.push(block);
    }
    blocks
}

fn pgveil(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgveil"));
    command.args(arguments).output().unwrap()
}

#[test]
fn configurations_of_examples_have_the_settings_of_the_schema_and_are_sound() {
    let schema = pgveil(&["config", "schema"]).stdout;
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut configurations = Vec::new();
    for (file, key) in [
        ("examples/kubernetes/sidecar.yaml", "pgveil.toml: |"),
        ("examples/kubernetes/shared.yaml", "pgveil.toml: |"),
        ("examples/kubernetes/helm/values.yaml", "config: |"),
    ] {
        let found = blocks(&read(file), key);
        assert_eq!(found.len(), 1, "{file}");
        configurations.extend(found.into_iter().map(|text| (file, text)));
    }
    for file in ["examples/compose/pgveil.toml", "packaging/deb/pgveil.toml"] {
        configurations.push((file, read(file)));
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in configurations {
        let table: toml::Table = text.parse().unwrap();
        let value = serde_json::to_value(table).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(faults, [""; 0], "{name}");
        // Certificates are nobody's yet.
        let text = text.replace("mode = \"require\"\ncert", "mode = \"disable\"\n# cert");
        let text = text.replace("\nkey = \"/etc", "\n# key = \"/etc");
        let file = folder.path().join("pgveil.toml");
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgveil"));
        command.args(["check", "-c"]).arg(&file);
        let output = command.env("PGVEIL_KEY", "0f".repeat(32)).output().unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
    }
}

/// Runs a tool over files of the kit, if it is there; what it prints is shown if it is not content.
fn judge(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let mut command = Command::new(program);
    let output = match command.args(arguments).current_dir(folder).output() {
        Ok(output) => output,
        Err(error) => {
            let missing = format!("skipped: {program}: {error}");
            let required = std::env::var_os("PGVEIL_REQUIRE_KIT").is_some();
            assert!(!required, "{missing}");
            let mut stderr = std::io::stderr();
            writeln!(stderr, "{missing}").unwrap();
            return None;
        }
    };
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn prometheus_takes_the_rules_and_the_scrape() {
    let folder = tempfile::tempdir().unwrap();
    // As they are mounted.
    for (from, to) in [
        ("examples/prometheus/alerts.yaml", "alerts.yaml"),
        ("examples/compose/prometheus.yml", "prometheus.yml"),
    ] {
        fs::copy(root().join(from), folder.path().join(to)).unwrap();
    }
    judge(
        "promtool",
        &["check", "config", "prometheus.yml"],
        folder.path(),
    );
    // The expressions of the dashboard, as a rule each.
    let dashboard: serde_json::Value =
        serde_json::from_str(&read("examples/grafana/pgveil.json")).unwrap();
    let mut rules = "groups:\n- name: dashboard\n  rules:\n".to_owned();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().unwrap();
            let expression = expression.replace("$__rate_interval", "1m");
            writeln!(rules, "  - record: a\n    expr: '{expression}'").unwrap();
        }
    }
    assert!(
        !rules.contains("''"),
        "an expression with quotes of its own"
    );
    // What records the same is no fault here.
    fs::write(folder.path().join("rules.yaml"), rules).unwrap();
    let lint = ["check", "rules", "--lint=none", "rules.yaml"];
    judge("promtool", &lint, folder.path());
}

/// Logins that fail: some are an accident, many are not, and neither are those above the limit.
#[test]
fn failed_logins_raise_an_alert() {
    let series = |reason: &str, values: &str| {
        let labels = format!("reason=\"{reason}\",instance=\"a\"");
        let name = format!("pgveil_sessions_refused_total{{{labels}}}");
        format!("    - series: '{name}'\n      values: '{values}'\n")
    };
    let case = |input: &[String], is_raised: bool| {
        let alert = "[{exp_labels: {severity: warning, instance: a}, exp_annotations: {summary: \
                     \"logins fail again and again; someone guesses passwords, or an application \
                     has an old one\"}}]";
        let expected = if is_raised { alert } else { "[]" };
        format!(
            "  - interval: 1m\n    input_series:\n{}    alert_rule_test:\n\
             \x20   - {{eval_time: 15m, alertname: PgveilFailedLogins, exp_alerts: {expected}}}\n",
            input.concat()
        )
    };
    let cases = [
        case(&[series("authentication", "0 1 2 2x20")], false),
        case(&[series("authentication", "0+10x20")], true),
        case(&[series("failed_logins", "1x5 2+1x15")], true),
        case(
            &[series("failed_logins", "7x20"), series("crowd", "0+10x20")],
            false,
        ),
        // Both are one alert.
        case(
            &[
                series("authentication", "0+10x20"),
                series("failed_logins", "0+1x20"),
            ],
            true,
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let rules = root().join("examples/prometheus/alerts.yaml");
    fs::copy(rules, folder.path().join("alerts.yaml")).unwrap();
    let text = format!(
        "rule_files: [alerts.yaml]\nevaluation_interval: 1m\ntests:\n{}",
        cases.concat()
    );
    fs::write(folder.path().join("test.yaml"), text).unwrap();
    judge("promtool", &["test", "rules", "test.yaml"], folder.path());
}

#[test]
fn helm_takes_the_chart_and_kubernetes_what_it_makes() {
    let chart = root().join("examples/kubernetes/helm");
    judge("helm", &["lint", "--strict", "."], &chart);
    let folder = tempfile::tempdir().unwrap();
    let watched = ["--set", "serviceMonitor.enabled=true"];
    let veiled = ["--set", "tls.existingSecret=tls,replicas=3"];
    for (name, more) in [
        ("plain", &[][..]),
        ("watched", &watched),
        ("veiled", &veiled),
    ] {
        let base = ["template", "shop", ".", "--kube-version", "1.30.0"];
        if let Some(made) = judge("helm", &[&base, more].concat(), &chart) {
            assert!(made.contains("kind: Deployment"), "{made}");
            fs::write(folder.path().join(format!("{name}.yaml")), made).unwrap();
        }
    }
    for file in files(&root().join("examples/kubernetes"), "yaml") {
        if file.parent().unwrap().ends_with("kubernetes") {
            let name = file.file_name().unwrap();
            fs::copy(&file, folder.path().join(name)).unwrap();
        }
    }
    // By the schemas of Kubernetes itself; `ServiceMonitor` is not its own.
    fs::remove_file(folder.path().join("watched.yaml")).ok();
    judge(
        "kubectl-validate",
        &["--version", "1.30", "."],
        folder.path(),
    );
}

#[test]
fn systemd_takes_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let unit = read("examples/systemd/pgveil.service");
    assert!(unit.contains("ExecStart=/usr/bin/pgveil serve"));
    // Where the binary is now.
    let unit = unit.replace("/usr/bin/pgveil", env!("CARGO_BIN_EXE_pgveil"));
    fs::write(folder.path().join("pgveil.service"), unit).unwrap();
    let socket = read("examples/systemd/pgveil.socket");
    fs::write(folder.path().join("pgveil.socket"), socket).unwrap();
    judge(
        "systemd-analyze",
        &["verify", "--man=no", "./pgveil.service", "./pgveil.socket"],
        folder.path(),
    );
}

#[test]
fn compose_takes_its_file() {
    let folder = root().join("examples/compose");
    let arguments = ["--profile", "watch", "config", "--quiet"];
    judge("docker-compose", &arguments, &folder);
}
