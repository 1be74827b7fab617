//! Features in plain statements, which need nothing of a library but parameters and rows.

use std::collections::HashSet;

use serde_json::{Value, json};
use uuid::Uuid;

/// The value of a parameter.
#[derive(Debug, Clone)]
pub(crate) enum Param {
    Id(Uuid),
    Ids(Vec<Uuid>),
    Text(String),
    Number(i32),
    Document(Value),
}

impl From<Uuid> for Param {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl From<&str> for Param {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A connection of a library.
pub(crate) trait Session {
    /// What goes wrong.
    type Error;

    /// Asks for the rows of a statement.
    async fn ask(&mut self, sql: &'static str, with: &[Param]) -> Result<Vec<Value>, Self::Error>;

    /// Says what is told of an error.
    fn told(error: &Self::Error) -> Value;
}

/// Runs a feature that needs nothing of a library; `None` for others.
pub(crate) async fn feature<S: Session>(
    name: &str,
    session: &mut S,
) -> Option<Result<Value, S::Error>> {
    Some(match name {
        "crud" => crud(session).await,
        "returning" => returning(session).await,
        "upsert" => upsert(session).await,
        "eager" => eager(session).await,
        "keyset" => keyset(session).await,
        "arrays" => arrays(session).await,
        "json" => documents(session).await,
        "cascade" => cascade(session).await,
        "errors" => errors(session).await,
        "altered" => altered(session).await,
        _ => return None,
    })
}

/// The ids that are the first columns of some rows.
pub(crate) fn ids(rows: &[Value]) -> Vec<Uuid> {
    let first = rows.iter().map(|row| row[0].as_str().expect("an id"));
    first.map(|id| id.parse().expect("an id")).collect()
}

pub(crate) async fn person<S: Session>(session: &mut S, name: &str) -> Result<Uuid, S::Error> {
    let insert = "insert into people (email, name) values ($1, $2) returning id";
    let email = format!("{name}@example.org");
    let rows = session
        .ask(insert, &[email.as_str().into(), name.into()])
        .await?;
    Ok(ids(&rows)[0])
}

pub(crate) async fn people<S: Session, const N: usize>(
    session: &mut S,
    names: [&str; N],
) -> Result<[Uuid; N], S::Error> {
    let mut made = [Uuid::nil(); N];
    for (id, name) in made.iter_mut().zip(names) {
        *id = person(session, name).await?;
    }
    Ok(made)
}

pub(crate) async fn post<S: Session>(
    session: &mut S,
    person: Uuid,
    title: &str,
    ordinal: i32,
) -> Result<Uuid, S::Error> {
    let insert = "insert into posts (person_id, title, ordinal) values ($1, $2, $3) returning id";
    let with = [person.into(), title.into(), Param::Number(ordinal)];
    Ok(ids(&session.ask(insert, &with).await?)[0])
}

async fn tagged<S: Session>(session: &mut S, post: Uuid, names: [&str; 2]) -> Result<(), S::Error> {
    for name in names {
        let insert = "insert into tags (name) values ($1) returning id";
        let tag = ids(&session.ask(insert, &[name.into()]).await?)[0];
        let pair = "insert into post_tags (post_id, tag_id) values ($1, $2)";
        session.ask(pair, &[post.into(), tag.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn crud<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let [ann, bob] = people(session, ["ann", "bob"]).await?;
    let by_id = "select id, email, name, version from people where id = $1";
    let read = session.ask(by_id, &[ann.into()]).await?;
    let change = "update people set name = $1, version = version + 1 where id = $2 returning id";
    let changed = session.ask(change, &["Ann".into(), ann.into()]).await?;
    let after = session.ask(by_id, &[ann.into()]).await?;
    let gone = session
        .ask("delete from people where id = $1", &[bob.into()])
        .await?;
    let none = session.ask(by_id, &[bob.into()]).await?;
    let count = session.ask("select count(*) from people", &[]).await?;
    Ok(json!([read, changed, after, gone, none, count]))
}

async fn returning<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let ann = person(session, "ann").await?;
    let insert = "insert into posts (person_id, title, ordinal) values ($1, 'b', 2), ($1, 'a', 1) returning *";
    let mut made = session.ask(insert, &[ann.into()]).await?;
    made.sort_by_key(|row| row[2].to_string());
    let change = "update posts o set title = upper(title) from people p
        where p.id = o.person_id and p.email = $1 and o.ordinal = 1 returning o.id, p.id, o.title";
    let changed = session.ask(change, &["ann@example.org".into()]).await?;
    let chain =
        "with moved as (delete from posts where person_id = $1 returning id, person_id, title)
        select m.id, p.id, m.title, p.name from moved m join people p on p.id = m.person_id
        order by m.title";
    let chained = session.ask(chain, &[ann.into()]).await?;
    Ok(json!([made, changed, chained]))
}

async fn upsert<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let insert = "insert into people (email, name) values ($1, $2) on conflict (email) do update
        set name = excluded.name, version = people.version + 1 returning id, name, version, xmax = 0";
    let mut made = Vec::new();
    for name in ["ann", "Ann", "ANN"] {
        made.extend(
            session
                .ask(insert, &["ann@example.org".into(), name.into()])
                .await?,
        );
    }
    let again =
        "insert into people (email, name) values ($1, $2) on conflict do nothing returning id";
    let nothing = session
        .ask(again, &["ann@example.org".into(), "nobody".into()])
        .await?;
    let by_id =
        "insert into people (id, email, name) values ($1, $2, $3) on conflict (id) do update
        set email = excluded.email returning id, email, name";
    let with = [
        ids(&made)[0].into(),
        "ann@example.net".into(),
        "another".into(),
    ];
    let saved = session.ask(by_id, &with).await?;
    Ok(json!([made, nothing, saved]))
}

async fn eager<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let [ann, bob, _] = people(session, ["ann", "bob", "cid"]).await?;
    let first = post(session, ann, "one", 1).await?;
    post(session, ann, "two", 2).await?;
    post(session, bob, "three", 3).await?;
    tagged(session, first, ["red", "blue"]).await?;
    let join = "select p.id, p.email, o.id, o.person_id, o.title from people p
        left join posts o on o.person_id = p.id order by p.email, o.ordinal";
    let joined = session.ask(join, &[]).await?;
    let select =
        "select person_id, id, title from posts where person_id = any($1) order by ordinal";
    let selected = session.ask(select, &[Param::Ids(vec![ann, bob])]).await?;
    let tags = "select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
        where pt.post_id = any($1) order by t.name";
    let many = session.ask(tags, &[Param::Ids(vec![first])]).await?;
    Ok(json!([joined, selected, many]))
}

/// Reads pages until one is empty. In an order that differs between the sides the titles can be said
/// of them, how many rows there are on each, and how many came twice.
async fn turned<S: Session>(
    session: &mut S,
    first: &'static str,
    next: &'static str,
    before: &[Param],
) -> Result<Value, S::Error> {
    let mut page = session.ask(first, &[]).await?;
    let (mut titles, mut sizes, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    loop {
        sizes.push(page.len());
        let Some(last) = ids(&page).last().copied() else {
            titles.sort_unstable();
            return Ok(json!([titles, sizes, titles.len() - seen.len()]));
        };
        titles.extend(page.iter().map(|row| row[1].to_string()));
        seen.extend(ids(&page));
        let with = [before, &[last.into()]].concat();
        page = session.ask(next, &with).await?;
    }
}

async fn keyset<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let ann = person(session, "ann").await?;
    for number in 0..12 {
        post(session, ann, &format!("t{number:02}"), number).await?;
    }
    let first = "select id, title from posts order by id limit 5";
    let next = "select id, title from posts where id > $1 order by id limit 5";
    let pages = turned(session, first, next, &[]).await?;
    let first = "select id, title from posts order by person_id, id limit 5";
    let next = "select id, title from posts where (person_id, id) > ($1, $2) order by person_id, id limit 5";
    Ok(json!([
        pages,
        turned(session, first, next, &[ann.into()]).await?
    ]))
}

async fn arrays<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let [ann, bob, cid] = people(session, ["ann", "bob", "cid"]).await?;
    let insert = "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids";
    let mut made = session
        .ask(insert, &["a".into(), Param::Ids(vec![ann, bob])])
        .await?;
    made.extend(
        session
            .ask(insert, &["b".into(), Param::Ids(Vec::new())])
            .await?,
    );
    let append = "update groups set member_ids = array_append(member_ids, $1) where name = 'b'";
    session.ask(append, &[cid.into()]).await?;
    let read = "select id, name, member_ids, cardinality(member_ids) from groups order by name";
    let read = session.ask(read, &[]).await?;
    let within = "select name from groups where $1 = any(member_ids)";
    let within = session.ask(within, &[bob.into()]).await?;
    let members =
        "select g.name, p.id, p.email from groups g join people p on p.id = any(g.member_ids)
        order by p.email";
    let members = session.ask(members, &[]).await?;
    let unnest = "select u.id, p.name from unnest($1::uuid[]) with ordinality u (id, at)
        join people p on p.id = u.id order by u.at";
    let unnested = session.ask(unnest, &[Param::Ids(vec![cid, ann])]).await?;
    let aggregated = session
        .ask("select array_agg(id order by email) from people", &[])
        .await?;
    Ok(json!([made, read, within, members, unnested, aggregated]))
}

async fn documents<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let ann = person(session, "ann").await?;
    post(session, ann, "one", 1).await?;
    post(session, ann, "two", 2).await?;
    let body = json!({"by": ann, "marks": [1, 2.5, null], "deep": {"é": true}});
    let change = "update posts set body = $1 where title = 'one' returning id, body";
    let changed = session.ask(change, &[Param::Document(body)]).await?;
    let parts = r#"select body->>'by', body->'marks', body #>> '{deep,é}' from posts
        where body @> '{"marks": [1]}'"#;
    let parts = session.ask(parts, &[]).await?;
    let build = "select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id,
        'title', o.title) order by o.title) from people p join posts o on o.person_id = p.id group by p.id";
    let built = session.ask(build, &[]).await?;
    let rows = session
        .ask("select row_to_json(o) from posts o order by title", &[])
        .await?;
    Ok(json!([changed, parts, built, rows]))
}

async fn cascade<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let [ann, bob] = people(session, ["ann", "bob"]).await?;
    let first = post(session, ann, "one", 1).await?;
    post(session, bob, "two", 2).await?;
    tagged(session, first, ["red", "blue"]).await?;
    let gone = session
        .ask(
            "delete from people where id = $1 returning id, name",
            &[ann.into()],
        )
        .await?;
    let counts = "select (select count(*) from posts), (select count(*) from post_tags), (select count(*) from tags)";
    let counts = session.ask(counts, &[]).await?;
    let left = session
        .ask("select id, person_id, title from posts", &[])
        .await?;
    Ok(json!([gone, counts, left]))
}

/// Statements that fail, each with what the library tells of it.
async fn errors<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    let [ann, bob] = people(session, ["ann", "bob"]).await?;
    session
        .ask("delete from people where id = $1", &[bob.into()])
        .await?;
    let unknown: Uuid = "5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680"
        .parse()
        .expect("a uuid");
    let by_id = "select name from people where id = $1";
    let tries: [(&'static str, Vec<Param>); 6] = [
        (
            "insert into people (email, name) values ($1, 'x')",
            vec!["ann@example.org".into()],
        ),
        (
            "insert into people (id, email, name) values ($1, 'x', 'x')",
            vec![ann.into()],
        ),
        (
            "insert into posts (person_id, title) values ($1, 'x')",
            vec![bob.into()],
        ),
        (
            "select name from people where id = 'not-a-uuid'",
            Vec::new(),
        ),
        (by_id, vec![unknown.into()]),
        ("select name from people where id = 1", Vec::new()),
    ];
    let mut results = Vec::new();
    for (sql, with) in tries {
        results.push(match session.ask(sql, &with).await {
            Ok(rows) => json!(rows),
            Err(error) => S::told(&error),
        });
    }
    Ok(json!(results))
}

/// One statement before and behind a change of its table.
async fn altered<S: Session>(session: &mut S) -> Result<Value, S::Error> {
    person(session, "ann").await?;
    let select = "select * from people where email = $1";
    let mut results = Vec::new();
    for number in 0..12 {
        if number == 8 {
            session
                .ask(
                    "alter table people add column nick text default 'none'",
                    &[],
                )
                .await?;
        }
        results.push(
            match session.ask(select, &["ann@example.org".into()]).await {
                Ok(rows) => json!(rows),
                Err(error) => S::told(&error),
            },
        );
    }
    Ok(json!(results))
}

/// What the catalogs say of the columns.
pub(crate) const COLUMNS: &str = "select table_name::text, column_name::text, data_type::text,
    udt_name::text, is_nullable::text, column_default::text from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position";
