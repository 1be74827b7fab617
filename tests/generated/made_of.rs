//! Postgres judges the plans of statements that nobody thought of, as `tests/lineage.rs` has it
//! judge those that somebody did.

use super::Statement;
use super::judge::{Finding, Judge};
use super::run::{Arena, Other};
use super::twin::client::Client;
use super::twin::proxy::config;
use super::twin::say;
use super::twin::stand::local;
use super::twin::world::ROLE;

/// How many statements are judged.
const JUDGED: usize = 3_000;

#[test]
fn columns_of_random_statements_hold_what_postgres_says_that_they_are_made_of() {
    let server = local();
    let arena = Arena::new(server, "judged", Other::Keys).unwrap();
    let client = Client::connect(&server.address, ROLE, "judged_other").unwrap();
    let mut judge = Judge::new(client, &config(&server.address).unwrap()).unwrap();
    let (mut judged, mut with_ids, mut wrong) = (0, 0, Vec::new());
    for number in 0..JUDGED {
        let statement = Statement::generate(13, number);
        let sql = arena.filled(&statement.render()).unwrap();
        if sql.len() > super::LONGEST {
            continue;
        }
        match judge.judge(&sql).unwrap() {
            Finding::Agreed(ids) => {
                judged += 1;
                with_ids += usize::from(ids > 0);
            }
            Finding::Nothing => {}
            Finding::Wrong(told) => wrong.push(format!("{number}: {sql}\n    {told}")),
        }
    }
    say(&format!(
        "lineage of random statements: Postgres agrees on {judged}, {with_ids} with ids"
    ));
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}\n{}", shown.join("\n"), wrong.len());
    assert!(with_ids > JUDGED / 4, "{with_ids}");
}
