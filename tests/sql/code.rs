//! Code that a session brings with it, by all that could carry it and all that it could reach: the
//! cursors and prepared statements of the session, and channels that carry ids. What it does inside
//! of the database pgveil does not see, so that it is refused where it could reach one.

use super::{describe, shop, shop_and, shop_with};
use pgveil::catalog::Snapshot;
use pgveil::config::ChannelAnnotation;

/// A snapshot with a channel that carries ids, of a session that has a temporary table.
fn with_channel() -> Snapshot {
    let channel = ChannelAnnotation {
        name: "tags".to_owned(),
        domain: Some(0),
        path: Vec::new(),
    };
    shop_with("relation\t16900\tpg_temp_3\tstaging\tr\t\\N", &[channel])
}

/// What brings code: around the statements of a block, whether PL/pgSQL is its language.
const PLPGSQL: &[&str] = &[
    "DO $do$ BEGIN {} END $do$",
    "DO LANGUAGE plpgsql 'DECLARE c refcursor := ''x''; BEGIN {}; END'",
    "DO $do$ BEGIN IF true THEN {}; END IF; END $do$ LANGUAGE 'plpgsql'",
    "DO $do$ BEGIN LOOP {}; END LOOP; END $do$",
    "DO $do$ BEGIN <<here>> {}; END $do$",
    "DO $do$ BEGIN NULL; /* x */ {}; EXCEPTION WHEN others THEN NULL; END $do$",
    "DO $do$ BEGIN NULL; EXCEPTION WHEN others THEN {}; END $do$",
    "CREATE FUNCTION pg_temp.f() RETURNS void LANGUAGE plpgsql AS $f$ BEGIN {}; END $f$",
    "CREATE OR REPLACE FUNCTION pg_temp.f() RETURNS boolean AS $f$ BEGIN {}; RETURN true; END $f$ LANGUAGE plpgsql",
    "CREATE FUNCTION \"pg_temp\".f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN {}; RETURN new; END $f$",
    "CREATE FUNCTION pg_temp_3.f(n int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $f$ BEGIN {}; RETURN 1; END $f$",
    "CREATE PROCEDURE pg_temp.p() LANGUAGE plpgsql AS $f$ BEGIN {}; END $f$",
];

/// The same of functions in SQL.
const SQL: &[&str] = &[
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS '{}; SELECT 1'",
    "CREATE FUNCTION pg_temp.f() RETURNS void LANGUAGE sql AS $f$ SELECT 1; {} $f$",
    "CREATE PROCEDURE pg_temp.p() AS $f$ {} $f$ LANGUAGE sql",
];

/// What reaches something by its name, or puts something else under it.
const REACHING: &[&str] = &[
    "FETCH c INTO v",
    "fetch next from c into v",
    "MOVE c",
    "OPEN c FOR SELECT 5::int8",
    "EXECUTE ''",
    "FOR r IN EXECUTE q LOOP NULL; END LOOP",
    "RETURN QUERY EXECUTE q",
    "PREPARE p AS SELECT 5::int8",
    "DEALLOCATE p",
    "perform cursor_to_xml(c, 1, true, true, '''')",
    "perform query_to_xml(q, true, true, '''')",
    "perform current_query()",
    "perform pg_stat_get_activity(1)",
];

/// What sends a notification.
const NOTIFYING: &[&str] = &[
    "NOTIFY tags, ''5''",
    "perform pg_notify(''tags'', n::text) from generate_series(1, 300) n",
    "perform pg_catalog.pg_notify(t, ''5'')",
    "perform \"pg_notify\"(t, ''5'')",
];

fn refused(statement: &str, found: &str) {
    let is_refused = found.starts_with("refused unsupported 0A000");
    assert!(is_refused, "{statement}: {found}");
}

fn passes(statement: &str, found: &str) {
    assert!(!found.contains("refused"), "{statement}: {found}");
}

/// A text with code in it, quoted as the place demands it.
fn around(bringer: &str, code: &str) -> String {
    let quoted = bringer.contains("''");
    let code = code.replace("\'\'", "'");
    let code = if quoted || bringer.contains("AS '") {
        code.replace('\'', "''")
    } else {
        code
    };
    bringer.replace("{}", &code)
}

#[test]
fn code_of_the_session_reaches_no_cursor_no_statement_and_no_channel() {
    let snapshot = with_channel();
    for bringer in PLPGSQL {
        for code in REACHING.iter().chain(NOTIFYING) {
            let statement = around(bringer, code);
            refused(&statement, &describe(&statement, &snapshot, &[]));
        }
    }
    let commands = ["CLOSE c", "DECLARE c CURSOR FOR SELECT 5::int8"];
    let in_sql = |code: &&&str| !code.contains("LOOP") && !code.starts_with("RETURN");
    for bringer in SQL {
        let reaching = REACHING.iter().filter(in_sql).chain(NOTIFYING);
        for code in reaching.chain(&commands) {
            let statement = around(bringer, &code.replace("perform", "select"));
            refused(&statement, &describe(&statement, &snapshot, &[]));
        }
    }
}

#[test]
fn code_that_reaches_nothing_by_name_passes() {
    let harmless = [
        "NULL",
        "perform 1 from tags t where t.open > t.move",
        "perform ''fetch, move and open'' /* execute */",
        "UPDATE tags SET open = 1, prepare = 2",
        "IF open THEN NULL; END IF",
        "CLOSE c",
        "INSERT INTO tags (name) VALUES (''prepare'')",
    ];
    let snapshot = shop();
    for bringer in PLPGSQL {
        for code in harmless {
            // What runs a text counts wherever it stands, in comments too.
            let statement = around(bringer, &code.replace("execute", "executed"));
            passes(&statement, &describe(&statement, &snapshot, &[]));
        }
        // Without channels that carry ids nothing is wrong with notifications.
        for code in NOTIFYING {
            let statement = around(bringer, code);
            passes(&statement, &describe(&statement, &snapshot, &[]));
        }
    }
    let lasting = [
        "CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN EXECUTE 'x'; PERFORM pg_notify('tags', new.id::text); RETURN new; END $f$",
        "CREATE TRIGGER t AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION f()",
        "CREATE CONSTRAINT TRIGGER t AFTER INSERT ON public.anything FOR EACH ROW EXECUTE FUNCTION f()",
    ];
    for statement in lasting {
        passes(statement, &describe(statement, &with_channel(), &[]));
    }
}

#[test]
fn code_in_languages_that_nobody_reads_is_refused() {
    let snapshot = shop();
    for language in ["plperl", "plpython3u", "\"pltcl\"", "'plperl'", "PLPERLU"] {
        for statement in [
            format!("DO LANGUAGE {language} 'x'"),
            format!("DO 'x' LANGUAGE {language}"),
            format!("CREATE FUNCTION pg_temp.f() RETURNS void LANGUAGE {language} AS 'x'"),
            format!("CREATE FUNCTION pg_temp.f(n int) RETURNS int AS 'x' LANGUAGE {language}"),
        ] {
            refused(&statement, &describe(&statement, &snapshot, &[]));
        }
    }
}

#[test]
fn nothing_on_a_temporary_relation_runs_what_others_have_written() {
    let snapshot = with_channel();
    for table in [
        "staging",
        "pg_temp.staging",
        "pg_temp_3.staging",
        "nobody_knows",
    ] {
        for statement in [
            format!("CREATE TRIGGER t AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION f()"),
            format!(
                "CREATE OR REPLACE TRIGGER t BEFORE UPDATE OF n ON {table} EXECUTE PROCEDURE f()"
            ),
            format!(
                "CREATE CONSTRAINT TRIGGER t AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION f()"
            ),
        ] {
            refused(&statement, &describe(&statement, &snapshot, &[]));
        }
    }
    for definer in ["function", "procedure", "trigger", "rule"] {
        let statement = format!("DO $$ BEGIN CREATE {definer} x(); END $$");
        refused(&statement, &describe(&statement, &snapshot, &[]));
    }
}

#[test]
fn operators_of_extensions_that_compute_alone_hide_nothing_in_code() {
    let own = |properties: &str| {
        let function = format!(
            "function\tpublic\tsame\t17990\t{properties}\t16\t0\t17000 17000\t0\t\\N\t\\N\t\\N\t\\N"
        );
        let cast = "hidden call\t\\N\t17000\t17990\t\\N";
        shop_and(&format!(
            "hidden call\t=\t\\N\t17990\t\\N\n{cast}\n{function}"
        ))
    };
    let code = [
        "DO $$ BEGIN RAISE 'no' USING errcode = '22000'; END $$",
        "DO $$ DECLARE a int = 1; BEGIN a = 2; END $$",
        "DO 'BEGIN IF 1 = 1 THEN NULL; END IF; END'",
        "DO $$ BEGIN PERFORM CASE 1 WHEN 2 THEN 3 END; END $$",
    ];
    for statement in code {
        passes(statement, &describe(statement, &own("fi-b-c--"), &[]));
        // One that is not immutable may read, and one of PL/pgSQL may be replaced.
        for properties in ["fs-b-c--", "fv-b-c--", "fi-b-o--"] {
            refused(statement, &describe(statement, &own(properties), &[]));
        }
    }
}

#[test]
fn no_definition_notifies_where_channels_carry_ids() {
    let definitions = [
        "CREATE RULE r AS ON INSERT TO staging DO ALSO NOTIFY tags, '5'",
        "CREATE RULE r AS ON INSERT TO staging DO ALSO SELECT pg_notify('tags', new.n::text)",
        "CREATE OR REPLACE RULE r AS ON UPDATE TO staging DO INSTEAD (NOTIFY tags, '5'; SELECT 1)",
        "CREATE TEMP TABLE t (n int DEFAULT 1, x text DEFAULT pg_notify('tags', '5')::text)",
        "CREATE TEMP TABLE t (n int, CHECK (pg_notify('tags', n::text) IS NOT NULL))",
        "CREATE TEMP VIEW v AS SELECT pg_notify('tags', '5')",
        "CREATE DOMAIN pg_temp.d AS int CHECK (pg_catalog.\"pg_notify\"('tags', value::text) IS NOT NULL)",
        "CREATE OPERATOR pg_temp.## (FUNCTION = pg_notify, LEFTARG = text, RIGHTARG = text)",
        "ALTER TABLE staging ADD CHECK (pg_notify('tags', n::text) IS NOT NULL)",
        "ALTER TABLE staging ALTER n SET DEFAULT length(pg_notify('tags', '5')::text)",
        "ALTER TABLE staging ALTER n TYPE text USING pg_notify('tags', n::text)::text",
        "ALTER DOMAIN d ADD CHECK (pg_notify('tags', value::text) IS NOT NULL)",
        "CREATE POLICY p ON staging USING (pg_notify('tags', n::text) IS NOT NULL)",
        "CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW WHEN (pg_notify('tags', '5') IS NULL) EXECUTE FUNCTION f()",
        "COPY staging FROM STDIN WHERE pg_notify('tags', n::text) IS NOT NULL",
    ];
    let snapshot = with_channel();
    for statement in definitions {
        let found = describe(statement, &snapshot, &[]);
        assert!(found.starts_with("refused"), "{statement}: {found}");
    }
    passes(
        "",
        &describe("CREATE TEMP TABLE t (notify boolean)", &snapshot, &[]),
    );
}
