//! What the database itself tells of keys by what is defined in it, by the role that asks or by
//! another: where a row lies, what a definition of the session's own computes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "twin/mod.rs"]
mod twin;

use twin::canary::Canary;
use twin::client::Client;
use twin::stand::{Other, build, local};
use twin::world::ROLE;

/// Tables whose rows lie where their keys say, and one whose rows do not.
const PARTITIONED: &str = "
    create table hashed (user_id bigint references public.users (id), n int) partition by hash (user_id);
    create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
    create table hashed_1 partition of hashed for values with (modulus 2, remainder 1);
    create table ranged (user_id bigint references public.users (id), n int) partition by range (n, user_id);
    create table ranged_0 partition of ranged default;
    create table computed (user_id bigint references public.users (id), n int) partition by list ((user_id % 2));
    create table computed_0 partition of computed default;
    create table nested (user_id bigint references public.users (id), n int) partition by list (n);
    create table nested_0 partition of nested default partition by hash (user_id);
    create table nested_00 partition of nested_0 for values with (modulus 1, remainder 0);
    create view lying as select tableoid::regclass as place, n, user_id from hashed;
    create table plain (user_id bigint references public.users (id), n int) partition by list (n);
    create table plain_0 partition of plain default;
    ";

#[test]
fn where_a_row_lies_is_not_told_if_its_keys_say_so() {
    let suite = build(local(), "placed", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut inside = Client::connect(&local().address, ROLE, "placed_beside").unwrap();
    inside.run(PARTITIONED).unwrap();
    let mut client = Client::connect(proxy, ROLE, "placed_beside").unwrap();
    for table in ["hashed", "ranged", "computed", "nested", "nested_0"] {
        let insert = format!("insert into {table} select id, 1 from public.users");
        client.run(&insert).unwrap();
        for asked in [
            "select tableoid from {}",
            "select tableoid::regclass, user_id from {}",
            "select t.tableoid::int8 + 1 from {} as t",
            "select {}.tableoid from {}",
            "select count(*) from {} group by tableoid",
            "select user_id from {} order by tableoid",
            "select user_id from {} where tableoid = 1",
            "select max(tableoid) from {}",
            "select row(tableoid), to_json(tableoid) from {}",
            "select s.t from (select tableoid as t from {}) s",
            "with s as (select tableoid as t from {}) select t from s",
            "select (select tableoid from {} limit 1)",
            "select t.tableoid from {} t join public.users u on u.id = t.user_id",
            "update {} set n = n returning tableoid",
            "delete from {} where n = 7 returning tableoid::regclass",
            "insert into {} select id, 1 from public.users returning tableoid",
            "copy (select tableoid from {}) to stdout",
            "create temporary table kept as select tableoid as t from {}",
        ] {
            let asked = asked.replace("{}", table);
            assert!(client.run(&asked).is_err(), "{asked}");
        }
        client
            .run(&format!("select user_id, n from {table}"))
            .unwrap();
    }
    assert!(client.run("select place from lying").is_err());
    client.run("select n, user_id from lying").unwrap();
    for allowed in [
        "select tableoid::regclass, user_id from plain",
        "select tableoid, id from public.users",
        "select n, xmax from hashed",
    ] {
        client.run(allowed).unwrap();
    }
    assert_eq!(Canary::new().find(&client.recorded()), None);
}
