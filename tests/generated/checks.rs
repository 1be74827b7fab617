//! That the generator is sound: what it finds is not of its own making, and it finds what is wrong.

use super::duel::Verdict;
use super::run::{Arena, Other};
use super::schema::Type;
use super::tree::{Sort, Tree};
use super::twin::say;
use super::twin::stand::local;
use super::{Statement, exception};

#[test]
fn the_same_seed_gives_the_same_statements() {
    for number in 0..200 {
        let [one, two] = [0, 1].map(|_| Statement::generate(5, number).render());
        assert_eq!(one, two);
        assert_ne!(one, Statement::generate(6, number).render());
    }
}

#[test]
fn a_twin_answers_as_another_twin() {
    let mut arena = Arena::new(local(), "pair", Other::Twin).unwrap();
    let (mut equal, mut wrong) = (0, Vec::new());
    for number in 0..1_000 {
        let statement = Statement::generate(7, number);
        let (
            sent,
            Statement {
                writes, protocol, ..
            },
        ) = (statement.render(), statement);
        let verdict = arena.judge(&sent, writes, protocol).unwrap();
        equal += usize::from(verdict == Verdict::Equal);
        let is_equal = matches!(verdict, Verdict::Equal | Verdict::EqualError(_));
        if !is_equal && exception(&verdict).is_none() {
            wrong.push(format!("{number}: {}\n    {verdict:?}", sent.sql));
        }
    }
    say(&format!("two twins: {equal} of 1000 statements work"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(equal > 800, "{equal}");
}

#[test]
fn keys_without_pgveil_are_found_out() {
    let mut arena = Arena::new(local(), "bare", Other::Keys).unwrap();
    let (mut leaks, mut differing) = (0, 0);
    for number in 0..300 {
        let statement = Statement::generate(7, number);
        let sent = statement.render();
        match arena.judge(&sent, statement.writes, statement.protocol) {
            Ok(Verdict::Leaked(_)) => leaks += 1,
            Ok(Verdict::Differing(_)) => differing += 1,
            _ => {}
        }
    }
    say(&format!(
        "bare keys, 300 statements: {leaks} leaks, {differing} other differences"
    ));
    assert!(leaks > 30 && differing > 30);
}

#[test]
fn a_tree_shrinks_to_what_matters() {
    let of = Type::Integer;
    let number = |text: &str| Tree::expression(&of, text, []);
    let sum = |one, two| Tree::expression(&of, "({} + {})", [one, two]);
    let items = vec![
        number("7"),
        sum(sum(number("2"), number("bad")), number("3")),
        number("9"),
    ];
    let filter = Tree::optional(" where {}", [number("4")]);
    let list = Tree::list(items, ", ", 1);
    let mut tree = Tree::new(Sort::Query(vec![of.clone()]), "select {}{}", [list, filter]);
    let fails = |tree: &Tree| tree.render(false).sql.contains("bad");
    while let Some(smaller) = tree.smaller().into_iter().find(|tree| fails(tree)) {
        tree = smaller;
    }
    assert_eq!(tree.render(false).sql, "select bad");
}

#[test]
fn a_value_is_a_literal_or_a_parameter() {
    let value = Tree::value(&Type::Text, "x", "::text");
    let tree = Tree::new(Sort::Part, "{} = {}", [value.clone(), value]);
    assert_eq!(tree.render(false).sql, "'x'::text = 'x'::text");
    let rendered = tree.render(true);
    assert_eq!(rendered.sql, "$1::text = $2::text");
    assert_eq!(rendered.values, ["x", "x"]);
}
