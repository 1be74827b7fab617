//! Whether clients should be sent here: one line for each check.

use std::fmt::Write as _;

use crate::proxy::Vitals;

/// Whether all is well, and the lines that say so. Who asks here has listened in vain otherwise: a
/// proxy that can't listen does not start.
pub(super) async fn check(vitals: &Vitals) -> (bool, String) {
    let serves = !vitals.is_draining();
    let upstream = vitals.probe().await;
    let mut lines = String::from("ok listening\n");
    let mut line = |is_well: bool, well: &str, ill: &str| {
        let (mark, what) = if is_well { ("ok", well) } else { ("no", ill) };
        // A string takes all that is written.
        let _ = writeln!(lines, "{mark} {what}");
    };
    line(serves, "serving", "draining");
    line(
        upstream.is_up,
        &used(vitals),
        "upstream: Postgres can't be reached, gives no answer, or is not what target_session_attrs wants",
    );
    (serves && upstream.is_up, lines)
}

/// Which host is used, where there are several: by its place in the configuration, since strangers may
/// ask.
fn used(vitals: &Vitals) -> String {
    let hosts = vitals.hosts();
    match hosts.iter().find(|host| host.is_used) {
        Some(host) if hosts.len() > 1 => format!("upstream: host {}", host.number),
        _ => "upstream".to_owned(),
    }
}
