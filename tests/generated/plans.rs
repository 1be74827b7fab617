//! That the plan cache makes no difference for statements that nobody thought of.

use super::Statement;
use super::mutated::Mutator;
use super::run::{Arena, Other};
use super::twin::proxy::config;
use super::twin::say;
use super::twin::snapshot::snapshot_of;
use super::twin::stand::local;

#[test]
fn texts_that_differ_in_literals_share_a_plan_only_where_it_is_the_same() {
    let server = local();
    let mut arena = Arena::new(server, "plans", Other::Keys).unwrap();
    let config = config(&server.address).unwrap();
    let (snapshot, path) = snapshot_of(arena.other(), &config).unwrap();
    let mut mutator = Mutator::new(snapshot, path);
    for number in 0..300 {
        let rendered = Statement::generate(11, number).tree.render(false);
        if rendered.sql.len() <= super::LONGEST {
            mutator.check(&arena.filled(&rendered).unwrap(), 3);
        }
    }
    let Mutator {
        compared, shared, ..
    } = mutator;
    say(&format!(
        "plan cache: of {compared} texts {shared} were not analysed"
    ));
    let wrong = &mutator.wrong;
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong[..wrong.len().min(20)].join("\n"),
        wrong.len()
    );
    assert!(4 * shared > compared);
}
