//! What the catalogs tell: each recorded statement that asks about the schema, on a database with
//! uuids and through pgveil on one with integer keys. The rows must be the same but for oids and the
//! names of the databases.

use super::statement::{Statement, corpus};
use super::twin::client::Client;
use super::twin::proxy::Proxy;
use super::twin::stand::local;
use super::twin::world::{FIRST_KEY, ROLE};
use super::world::{Form, create_empty};

/// The databases.
const NAMES: [&str; 2] = ["corpus_told_uuids", "corpus_told_keys"];

/// The databases with more in them.
const MORE_NAMES: [&str; 2] = ["corpus_more_uuids", "corpus_more_keys"];

/// Those that tools are asked about.
pub(crate) const TOOL_NAMES: [&str; 2] = ["corpus_tools_uuids", "corpus_tools_keys"];

/// Those that have extensions in them besides.
pub(crate) const EXTENDED_NAMES: [&str; 2] = ["corpus_extended_uuids", "corpus_extended_keys"];

/// Oids of what users have made, and names with them, are not the same in two databases.
const FIRST_OID: u64 = 16_384;

/// What is defined of ids beside the columns of the corpus: domains, domains over these, arrays of
/// them, the attributes of a type, keys of partitions. `KEY` is the type of ids in a database, and `MADE` makes one.
const MORE: &str = "
    create domain user_ref as KEY not null;
    create domain deep_ref as user_ref;
    create domain user_refs as KEY[] check (cardinality(value) > 0);
    create domain counter as bigint default 7;
    create domain made as KEY default MADE;
    create table makes (id made constraint makes_pkey primary key, note text);
    create table visits (user_id user_ref constraint visits_user_id_fkey references users(id),
        via deep_ref constraint visits_via_fkey references users(id), n counter,
        constraint visits_pkey primary key (user_id, via));
    create table crews (name text, member_ids user_refs, others KEY[] default '{}');
    create index crews_others on crews (others);
    create type contact as (user_id KEY, kind varchar(5));
    create table placed (user_id KEY references users(id), n bigint) partition by range (user_id, n);
    create table placed_rest partition of placed default;
    create view guests as select user_id, via, n from visits;";

/// What may be asked of these.
const QUESTIONS: &[&str] = &[
    "select typname, typlen, typbyval, typtype, typcategory, typispreferred, typdelim, typelem::regtype,
        typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typalign, typstorage,
        typnotnull, typbasetype::regtype, typtypmod, typndims, typcollation, typdefault
     from pg_type where typname in ('made', 'user_ref', 'deep_ref', 'user_refs', 'counter', 'contact', '_user_ref')",
    "select n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod),
        (select c.collname from pg_catalog.pg_collation c, pg_catalog.pg_type bt where c.oid = t.typcollation and bt.oid = t.typbasetype and t.typcollation <> bt.typcollation),
        t.typnotnull, t.typdefault,
        pg_catalog.array_to_string(array(select pg_catalog.pg_get_constraintdef(r.oid, true) from pg_catalog.pg_constraint r where t.oid = r.contypid order by r.conname), ' ')
     from pg_catalog.pg_type t left join pg_catalog.pg_namespace n on n.oid = t.typnamespace
     where t.typtype = 'd' and pg_catalog.pg_type_is_visible(t.oid)",
    "select typname, typdefault, pg_get_expr(typdefaultbin, 0),
        pg_get_expr(t.typdefaultbin, 'pg_catalog.pg_type'::regclass) from pg_type t where typtype = 'd'",
    "with recursive bottom as (
        select oid, typname, oid as top, typbasetype from pg_type where typtype = 'd'
        union all select t.oid, t.typname, b.top, t.typbasetype from bottom b join pg_type t on t.oid = b.typbasetype)
     select top::regtype, typname from bottom where typbasetype = 0",
    "select attrelid::regclass, attname, atttypid::regtype, format_type(atttypid, atttypmod), attlen, attbyval,
        attalign, attstorage, attndims, attcollation
     from pg_attribute where attnum > 0 and attrelid in ('visits'::regclass, 'visits_pkey'::regclass,
        'crews'::regclass, 'contact'::regclass, 'placed'::regclass, 'guests'::regclass, 'crews_others'::regclass)",
    "select attrelid::regclass, attname, t.typname, b.typname from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_type b on b.oid = t.typbasetype where attrelid in ('visits'::regclass, 'crews'::regclass)",
    "select table_name, column_name, data_type, udt_schema, udt_name, domain_schema, domain_name, column_default,
        numeric_precision, numeric_precision_radix, numeric_scale, character_octet_length, dtd_identifier, is_identity
     from information_schema.columns where table_schema = 'public'",
    "select * from information_schema.domains where domain_schema = 'public'",
    "select * from information_schema.attributes where udt_schema = 'public'",
    "select * from information_schema.element_types where object_schema = 'public'",
    "select * from information_schema.column_udt_usage where table_schema = 'public'",
    "select * from information_schema.domain_udt_usage where domain_schema = 'public'",
    "select * from information_schema.column_domain_usage where domain_schema = 'public'",
    "select * from information_schema.domain_constraints where domain_schema = 'public'",
    "select * from information_schema.user_defined_types where user_defined_type_schema = 'public'",
    "select conname, contype, conkey, confkey, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n'",
    "select conname, conpfeqop::regoperator[]::text[], conppeqop::regoperator[]::text[], conffeqop::regoperator[]::text[],
        conexclop::regoperator[]::text[]
     from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'",
    "select partrelid::regclass, partstrat, partattrs, partcollation::text, pg_get_partkeydef(partrelid)
     from pg_partitioned_table",
    "select o.opcname from pg_partitioned_table p cross join unnest(p.partclass::oid[]) with ordinality c(oid, n)
        join pg_opclass o on o.oid = c.oid order by n",
    "select i.indexrelid::regclass, o.opcname from pg_index i cross join unnest(i.indclass::oid[]) with ordinality c(oid, n)
        join pg_opclass o on o.oid = c.oid where i.indrelid in ('visits'::regclass, 'crews'::regclass)",
    "select c.relname, t.typname, t.typtype, t.typcategory from pg_class c join pg_type t on t.oid = c.reltype
     where c.relnamespace = 'public'::regnamespace",
    // Columns that depend on the key by which rows are grouped.
    "select c.relname, c.relkind, count(a.attnum) from pg_class c left join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace group by c.oid",
    "select a.attrelid::regclass, attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, count(i.indexrelid)
     from pg_attribute a left join pg_index i on i.indrelid = a.attrelid where a.attnum > 0
        and a.attrelid in ('visits'::regclass, 'crews'::regclass) group by (attnum), a.attrelid having a.attlen <> 8",
    "select t.oid::regtype as t, t.oid, t.typname, t.typbasetype::regtype, count(a.attnum) from pg_type t
        left join pg_attribute a on a.atttypid = t.oid where t.typtype = 'd' group by 2 order by t.typlen, t.typname",
    "select i.indexrelid as index, i.indclass::text <> '', i.indnatts, array_agg(o.opcname order by o.opcname)
     from pg_index i join pg_opclass o on o.oid = any (i.indclass) where i.indrelid = 'visits'::regclass
     group by index, i.indexrelid",
    "select k.conname, c.relname, k.contype, count(*) from pg_constraint k join pg_class c on c.oid = k.conrelid
     where c.relnamespace = 'public'::regnamespace and k.contype <> 'n' group by k.oid, c.oid",
    "select (select max(x.n) from (select count(*) as n, c.relname from pg_class c where c.relkind = 'S' group by c.oid) x),
        format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'visits'::regclass and attnum > 0",
    // What covers columns of the system that are not known.
    "with t as (select * from pg_stat_user_tables) select t.relname, a.attname, format_type(a.atttypid, a.atttypmod)
     from t join pg_attribute a on a.attrelid = t.relid where a.attnum > 0",
    "select s.relname, s.kind, s.data_type from (select t.*, c.data_type, 'table'::text as kind from pg_stat_user_tables t
        join information_schema.columns c on c.table_name = t.relname) s",
    "select a.attname, a.atttypid::regtype from pg_attribute a where a.attnum > 0
        and exists (select * from pg_stat_user_tables t where t.relid = a.attrelid)",
    "select x.one, x.relname, format_type(a.atttypid, a.atttypmod) from (
        select 1 as one, * from (select * from pg_stat_user_tables union all select * from pg_stat_user_tables) u) x
     join pg_attribute a on a.attrelid = x.relid where a.attnum > 0",
    // Beside what is not known of the system, with rows as values and with hidden columns.
    "select a.attname, a.atttypid::regtype, o.* from pg_attribute a, pg_options_to_table(array['a=1']) o
     where a.attrelid = 'visits'::regclass and a.attnum > 0",
    "select * from pg_attribute a, aclexplode(array['postgres=r/postgres'::aclitem]) x
     where a.attrelid in ('visits'::regclass, 'crews'::regclass) and a.attnum > 0",
    "select * from information_schema.columns natural join information_schema.tables where table_schema = 'public'",
    "select c.*, k.constraint_name from information_schema.columns c
     join information_schema.key_column_usage k using (table_schema, table_name, column_name) where table_schema = 'public'",
    "select a.attname, i.n from pg_index x, lateral (select (information_schema._pg_expandarray(x.indclass)).*) i
     join pg_opclass o on o.oid = i.x join pg_attribute a on a.atttypid = o.opcintype
     where x.indrelid = 'visits'::regclass and a.attrelid = 'visits'::regclass",
    "select a.attname, format_type(a.atttypid, null) from pg_attribute a tablesample bernoulli (100) repeatable (7)
     where a.attrelid = 'visits'::regclass and a.attnum > 0",
    "select name, of from only pg_catalog.pg_attribute as a (of, name) tablesample system (100)
     where name like 'user%' and of = 'visits'::regclass",
    "select (array_agg(a order by a.attnum))[1].attname, count(a), pg_typeof(max(a.atttypid)), count(distinct pg_typeof(a))
     from pg_attribute a where a.attrelid = 'visits'::regclass and a.attnum > 0",
    "select (lag(c) over (order by c.ordinal_position)).data_type, pg_typeof(c), c is null, c.column_name
     from information_schema.columns c where c.table_name = 'visits'",
    "select r.relname, (t.a).attlen, t.a::text from pg_class r
        left join (select a, attrelid from pg_attribute a where attnum = 1) t on t.attrelid = r.oid
     where r.relname in ('visits', 'crews', 'crews_others')",
    "select r.relname, count(a), count(a.*) from pg_class r left join pg_attribute a on a.attrelid = r.oid and a.attnum = 99
     where r.relname = 'visits' group by r.relname",
    "select a.*, a.tableoid::regclass, a.xmin is null as unborn from pg_attribute a where a.attrelid = 'visits'::regclass",
    "select pg_type.tableoid::regclass, xmax is null, * from pg_type where typname in ('user_ref', 'user_refs', '_user_refs')",
    "select d from pg_description d where d.objoid = 'visits'::regclass",
    "select x.key, x.value from pg_attribute a, jsonb_each_text(to_jsonb(a)) x
     where a.attrelid = 'visits'::regclass and a.attname = 'user_id'",
    // What depends on columns that have another default, or an identity.
    "select d.classid::regclass, d.refclassid::regclass, d.refobjid::regclass, d.refobjsubid, d.deptype from pg_depend d
     where d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass and d.refobjid >= 16384
        and d.classid in ('pg_attrdef'::regclass, 'pg_class'::regclass)",
];

/// A domain of which some columns are ids: of no database with uuids could it be.
const DIVIDED: &str = "create domain either as bigint;
    create table divided (user_id either references users(id), n either)";

const OF_DIVIDED: &str = "select a.attname, format_type(a.atttypid, a.atttypmod), c.data_type
    from pg_attribute a join information_schema.columns c on c.column_name = a.attname
    where a.attrelid = 'divided'::regclass and c.table_name = 'divided' order by a.attnum";

/// What is defined beside the columns of the corpus.
pub(crate) fn more(form: Form) -> String {
    match form {
        Form::Uuid => MORE
            .replace("KEY", "uuid")
            .replace("MADE", "gen_random_uuid()"),
        Form::Key => {
            let more = MORE.replace("KEY", "bigint");
            let more = more.replace("MADE", "nextval('numbers')");
            format!("create sequence numbers start {FIRST_KEY}; {more}")
        }
    }
}

/// Databases of these names with more in them, and clients of both: one of the database with uuids, and
/// one of the other through the proxy.
pub(crate) fn filled(names: [&str; 2]) -> (Proxy, Client, Client) {
    filled_with(names, "")
}

/// Likewise, where something has been done in both before.
pub(crate) fn filled_with(names: [&str; 2], before: &str) -> (Proxy, Client, Client) {
    let server = local();
    for (name, form) in names.into_iter().zip([Form::Uuid, Form::Key]) {
        create_empty(server, name, form).unwrap();
        let mut owner = Client::connect(&server.address, ROLE, name).unwrap();
        owner.run(&format!("{before};{}", more(form))).unwrap();
    }
    let proxy = super::proxy(&server.address);
    let twin = Client::connect(&server.address, ROLE, names[0]).unwrap();
    let veil = Client::connect(&proxy.address, ROLE, names[1]).unwrap();
    (proxy, twin, veil)
}

/// How many questions there were, and those of which the answers differ.
pub(crate) fn compare_more() -> (usize, Vec<String>) {
    let (_proxy, mut twin, mut veil) = filled(MORE_NAMES);
    let mut differing = Vec::new();
    for text in QUESTIONS {
        let [told, shown] = [&mut twin, &mut veil].map(|client| answer(client, text));
        if told != shown {
            differing.push(difference(text, &told, &shown));
        }
    }
    veil.run(DIVIDED).unwrap();
    let of_divided = veil.rows(OF_DIVIDED).unwrap();
    let told: Vec<String> = of_divided.iter().map(|row| row.join(" ")).collect();
    assert_eq!(told, ["user_id uuid uuid", "n either bigint"]);
    (QUESTIONS.len(), differing)
}

/// The databases of which questions are only estimated.
const COST_NAMES: [&str; 2] = ["corpus_cost_uuids", "corpus_cost_keys"];

/// What is asked of all rows of a catalog.
const WHOLE: &[&str] = &[
    "select * from pg_class",
    "select attrelid, attname, atttypid, format_type(atttypid, atttypmod), attnotnull from pg_attribute",
    "select * from pg_index",
    "select conname, conrelid, conkey, confkey, pg_get_constraintdef(oid) from pg_constraint",
    "select * from pg_type",
    "select * from pg_proc",
    "select * from pg_attrdef",
    "select * from pg_depend",
];

/// From so many units of cost on Postgres compiles a statement (`jit_above_cost`), which takes longer
/// than any question about a schema.
const COMPILED_FROM: f64 = 100_000.0;

/// The questions that Postgres would compile through pgveil and not where ids are uuids, and what it
/// expects of them.
pub(crate) fn compiled() -> Vec<String> {
    let (_proxy, mut twin, mut veil) = filled(COST_NAMES);
    let cost = |client: &mut Client, text: &str| {
        let plan = client.rows(&format!("explain {text}")).unwrap();
        let (_, cost) = plan[0][0].split_once("..").unwrap();
        cost.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let mut compiled = Vec::new();
    for text in QUESTIONS.iter().chain(WHOLE) {
        let [told, shown] = [&mut twin, &mut veil].map(|client| cost(client, text));
        if told < COMPILED_FROM && shown >= COMPILED_FROM {
            compiled.push(format!("{shown}, {told} for uuids: {text}"));
        }
    }
    compiled
}

/// How many statements there were, and those of which the answers differ.
pub(crate) fn compare() -> (usize, Vec<String>) {
    let server = local();
    create_empty(server, NAMES[0], Form::Uuid).unwrap();
    create_empty(server, NAMES[1], Form::Key).unwrap();
    let proxy = super::proxy(&server.address);
    let mut twin = Client::connect(&server.address, ROLE, NAMES[0]).unwrap();
    let mut veil = Client::connect(&proxy.address, ROLE, NAMES[1]).unwrap();
    let only = std::env::var("CORPUS").unwrap_or_default();
    let asked = corpus()
        .into_iter()
        .filter(|statement| statement.introspection);
    let mut texts: Vec<String> = asked
        .map(|statement| Statement::inlined(&statement))
        .collect();
    texts.sort();
    texts.dedup();
    texts.retain(|text| text.contains(&only));
    let mut differing = Vec::new();
    for text in &texts {
        let [told, shown] = [&mut twin, &mut veil].map(|client| answer(client, text));
        if told != shown {
            differing.push(difference(text, &told, &shown));
        }
    }
    (texts.len(), differing)
}

/// The rows in an order of their own, or the error.
pub(crate) fn answer(client: &mut Client, text: &str) -> Vec<String> {
    let rows = client.rows(text);
    let rows = rows.unwrap_or_else(|error| vec![vec![error]]);
    let mut rows: Vec<String> = rows.iter().map(|row| gist(&row.join(" | "))).collect();
    rows.sort();
    rows
}

/// A row without what two databases never have in common.
fn gist(row: &str) -> String {
    let mut row = row.to_owned();
    for name in [NAMES, MORE_NAMES, TOOL_NAMES, EXTENDED_NAMES].as_flattened() {
        row = row.replace(name, "database");
    }
    let mut gist = String::new();
    let mut digits = String::new();
    for letter in row.chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        match digits.parse::<u64>() {
            Ok(number) if (FIRST_OID..=u64::from(u32::MAX)).contains(&number) => gist.push('#'),
            _ => gist.push_str(&digits),
        }
        digits.clear();
        gist.push(letter);
    }
    gist
}

pub(crate) fn difference(text: &str, told: &[String], shown: &[String]) -> String {
    let lacks = |all: &[String], of: &[String]| {
        let lacking = of.iter().filter(|row| !all.contains(row)).take(4);
        lacking
            .map(|row| row.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    let (twin, here) = (lacks(shown, told), lacks(told, shown));
    let counts = (told.len(), shown.len());
    format!("{text}\n  {counts:?} rows\n  twin {twin:#?}\n  here {here:#?}")
}
