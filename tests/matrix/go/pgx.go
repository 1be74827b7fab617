package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

type pgxClient struct{}

type pgxRun struct {
	*pgx.Conn
	ctx context.Context
}

func (pgxClient) connect(ctx context.Context, dsn string) (map[string]feature, func(), error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, nil, err
	}
	run := pgxRun{conn, ctx}
	if _, err := conn.Exec(ctx, empty); err != nil {
		return nil, nil, err
	}
	features := map[string]feature{
		"crud": run.crud, "returning": run.returning, "bulk": run.bulk, "upsert": run.upsert,
		"eager": run.eager, "keyset": run.keyset, "arrays": run.arrays, "json": run.json,
		"transaction": run.transaction, "cascade": run.cascade, "errors": run.errors,
		"prepared": run.prepared, "altered": run.altered, "introspect": run.introspect,
	}
	return features, func() { _ = conn.Close(ctx) }, nil
}

func (pgxClient) fault(err error) (string, string) {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.Code, failed.Message
	}
	return fmt.Sprintf("%T", err), err.Error()
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// rows are those of a query, each by the names of its columns.
func (run pgxRun) rows(by querier, sql string, args ...any) []map[string]any {
	rows := must(by.Query(run.ctx, sql, args...))
	found := must(pgx.CollectRows(rows, pgx.RowToMap))
	for _, row := range found {
		for name, value := range row {
			row[name] = written(value)
		}
	}
	return found
}

// written is a value with ids in their usual form, which pgx has as bytes where nobody asks.
func written(value any) any {
	switch value := value.(type) {
	case [16]byte:
		return must(pgtype.UUID{Bytes: value, Valid: true}.Value())
	case []any:
		all := list{}
		for _, each := range value {
			all = append(all, written(each))
		}
		return all
	}
	return value
}

func (run pgxRun) exec(sql string, args ...any) string {
	return must(run.Exec(run.ctx, sql, args...)).String()
}

func (run pgxRun) people(by querier, names ...string) []pgtype.UUID {
	var ids []pgtype.UUID
	for _, name := range names {
		rows := must(by.Query(run.ctx, "insert into people (email, name) values ($1, $2) returning id",
			name+"@example.org", name))
		ids = append(ids, must(pgx.CollectExactlyOneRow(rows, pgx.RowTo[pgtype.UUID])))
	}
	return ids
}

func (run pgxRun) posts(person pgtype.UUID, first int, titles ...string) []pgtype.UUID {
	batch := &pgx.Batch{}
	var ids []pgtype.UUID
	for at, title := range titles {
		insert := "insert into posts (person_id, title, ordinal) values ($1, $2, $3) returning id"
		batch.Queue(insert, person, title, first+at).QueryRow(func(row pgx.Row) error {
			var id pgtype.UUID
			defer func() { ids = append(ids, id) }()
			return row.Scan(&id)
		})
	}
	check(run.SendBatch(run.ctx, batch).Close())
	return ids
}

func (run pgxRun) tagged(post pgtype.UUID, names ...string) {
	for _, name := range names {
		run.exec(`with made as (insert into tags (name) values ($2) returning id)
			insert into post_tags (post_id, tag_id) select $1, id from made`, post, name)
	}
}

func (run pgxRun) crud() any {
	ids := run.people(run, "ann", "bob")
	byID := "select * from people where id = $1"
	read := run.rows(run, byID, ids[0])
	byText := run.rows(run, byID, ids[1].String())
	changed := run.exec("update people set name = $2, version = version + 1 where id = $1", ids[0], "Ann")
	gone := run.exec("delete from people where id = $1", ids[1])
	return list{read, byText, changed, run.rows(run, byID, ids[0]), gone, run.rows(run, byID, ids[1])}
}

func (run pgxRun) returning() any {
	ann := run.people(run, "ann")[0]
	run.posts(ann, 1, "a", "b")
	changed := run.rows(run, `update posts o set title = upper(title) from people p
		where p.id = o.person_id and p.id = $1 and o.ordinal = $2
		returning o.id, p.id as person, o.title`, ann, 1)
	chained := run.rows(run, `with moved as (delete from posts where person_id = @ann
			returning id, person_id, title)
		select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
		order by m.title`, pgx.NamedArgs{"ann": ann})
	return list{changed, chained}
}

func (run pgxRun) bulk() any {
	ids := run.people(run, "ann", "bob")
	rows := [][]any{{ids[0], "one", 1}, {ids[1], "two", 2}, {ids[0], "three", 3}}
	names := []string{"person_id", "title", "ordinal"}
	copied := must(run.CopyFrom(run.ctx, pgx.Identifier{"posts"}, names, pgx.CopyFromRows(rows)))
	unnested := run.rows(run, `with made as (insert into posts (person_id, title, ordinal)
			select * from unnest($1::uuid[], $2::text[], $3::int[]) returning id, person_id, title)
		select * from made order by title`, ids, []string{"four", "five"}, []int{4, 5})
	return list{copied, unnested, run.rows(run, "select id, person_id, title from posts order by ordinal")}
}

func (run pgxRun) upsert() any {
	var rows list
	for _, name := range []string{"ann", "Ann", "ANN"} {
		rows = append(rows, run.rows(run, `insert into people (email, name) values ($1, $2)
			on conflict (email) do update set name = excluded.name, version = people.version + 1
			returning id, name, version, xmax = 0 as is_new`, "ann@example.org", name))
	}
	nothing := run.rows(run, `insert into people (email, name) values ($1, 'x')
		on conflict do nothing returning id`, "ann@example.org")
	var ann pgtype.UUID
	check(run.QueryRow(run.ctx, "select id from people").Scan(&ann))
	saved := run.rows(run, `insert into people (id, email, name) values ($1, $2, 'x')
		on conflict (id) do update set email = excluded.email returning id, email, name`, ann, "new")
	return list{rows, nothing, saved}
}

func (run pgxRun) eager() any {
	ids := run.people(run, "ann", "bob", "cid")
	posts := run.posts(ids[0], 1, "one", "two")
	run.posts(ids[1], 3, "three")
	run.tagged(posts[0], "red", "blue")
	joined := run.rows(run, `select p.id, p.email, o.id as post, o.person_id, o.title from people p
		left join posts o on o.person_id = p.id order by p.email, o.ordinal`)
	selected := run.rows(run, `select person_id, id, title from posts where person_id = any($1)
		order by ordinal`, ids)
	many := run.rows(run, `select pt.post_id, t.id, t.name from tags t
		join post_tags pt on pt.tag_id = t.id where pt.post_id = any($1) order by t.name`, posts)
	return list{joined, selected, many}
}

func (run pgxRun) keyset() any {
	ann := run.people(run, "ann")[0]
	for at := range 12 {
		run.posts(ann, at, fmt.Sprintf("t%02d", at))
	}
	return turned(func(last string) page {
		sql, args := "select id::text, title from posts order by id limit 5", list{}
		if last != "" {
			sql, args = "select id::text, title from posts where id > $1 order by id limit 5", list{last}
		}
		rows := must(run.Query(run.ctx, sql, args...))
		return must(pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ ID, Title string }]))
	})
}

func (run pgxRun) arrays() any {
	ids := run.people(run, "ann", "bob", "cid")
	insert := "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids"
	made := list{run.rows(run, insert, "a", ids[:2]), run.rows(run, insert, "b", []pgtype.UUID{})}
	run.exec("update groups set member_ids = array_append(member_ids, $1) where name = 'b'", ids[2])
	var scanned []pgtype.UUID
	check(run.QueryRow(run.ctx, "select member_ids from groups where name = 'a'").Scan(&scanned))
	return list{
		made, scanned,
		run.rows(run, "select name, member_ids, member_ids[1] as one from groups order by name"),
		run.rows(run, "select name from groups where $1 = any(member_ids)", ids[1]),
		run.rows(run, "select name from groups where member_ids && $1", ids[:2]),
		run.rows(run, `select g.name, p.id from groups g join people p on p.id = any(g.member_ids)
			order by p.email`),
		run.rows(run, "select array_agg(id order by email) as ids from people"),
	}
}

func (run pgxRun) json() any {
	ann := run.people(run, "ann")[0]
	run.posts(ann, 1, "one", "two")
	body := map[string]any{"by": ann.String(), "marks": list{1, 2.5, nil}}
	changed := run.rows(run, "update posts set body = $1 where title = 'one' returning id, body", body)
	parts := run.rows(run, "select body->>'by' as by from posts where body @> $1", `{"marks": [1]}`)
	built := run.rows(run, `select json_agg(json_build_object('id', id, 'person', person_id)
		order by title) as built from posts`)
	return list{changed, parts, built, run.rows(run, "select to_jsonb(o) as row from posts o order by title")}
}

func (run pgxRun) transaction() any {
	check(pgx.BeginFunc(run.ctx, run, func(tx pgx.Tx) error {
		run.people(tx, "ann")
		return nil
	}))
	rolled := must(run.BeginTx(run.ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}))
	run.people(rolled, "bob")
	check(rolled.Rollback(run.ctx))
	check(pgx.BeginFunc(run.ctx, run, func(tx pgx.Tx) error {
		run.people(tx, "cid")
		inner := must(tx.Begin(run.ctx))
		_, err := caught(func() any { return run.people(inner, "dan", "dan") })
		if err != nil {
			check(inner.Rollback(run.ctx))
		}
		run.people(tx, "eve")
		return nil
	}))
	return run.rows(run, "select id, name from people order by name")
}

func (run pgxRun) cascade() any {
	ids := run.people(run, "ann", "bob")
	run.tagged(run.posts(ids[0], 1, "one")[0], "red")
	run.posts(ids[1], 2, "two")
	gone := run.exec("delete from people where id = $1", ids[0])
	return list{gone, run.rows(run, "select id, person_id, title from posts"),
		run.rows(run, "select (select count(*) from post_tags) as pairs, (select count(*) from tags) as tags")}
}

func (run pgxRun) failing(sql string, args ...any) any {
	result, err := caught(func() any { return run.rows(run, sql, args...) })
	var failed *pgconn.PgError
	switch {
	case err == nil:
		return result
	case errors.As(err, &failed):
		return list{failed.Code, failed.ConstraintName, failed.Detail, failed.Message}
	}
	return err.Error()
}

func (run pgxRun) errors() any {
	ids := run.people(run, "ann", "bob")
	run.exec("delete from people where id = $1", ids[1])
	post := "insert into posts (person_id, title) values ($1, 'x')"
	return list{
		run.failing("insert into people (email, name) values ($1, 'x')", "ann@example.org"),
		run.failing("insert into people (id, email, name) values ($1, 'x', 'x')", ids[0]),
		run.failing(post, ids[1]),
		run.failing(post, nil),
		run.failing("select name from people where id = $1", "not-a-uuid"),
		run.failing("select name from people where id = 'not-a-uuid'"),
		run.failing("select name from people where id = 1"),
	}
}

func (run pgxRun) prepared() any {
	must(run.Prepare(run.ctx, "by_id", "select id, email, array[id] as ids from people where id = $1"))
	var rows list
	var ids []pgtype.UUID
	for at := range 20 {
		id := run.people(run, fmt.Sprintf("p%d", at))[0]
		ids = append(ids, id)
		rows = append(rows, run.rows(run, "by_id", id))
	}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec,
		pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		for range 3 {
			rows = append(rows, run.rows(run, "select id from people where id = $1", mode, ids[0]))
		}
	}
	for range 20 {
		rows = append(rows, run.rows(run, "select count(*) from people where id = any($1)", ids))
	}
	return rows
}

func (run pgxRun) altered() any {
	run.people(run, "ann")
	var results list
	again := func() { results = append(results, run.failing("select * from people where name = $1", "ann")) }
	for range 8 {
		again()
	}
	run.exec("alter table people add column nick text default 'none'")
	for range 4 {
		again()
	}
	return results
}

func (run pgxRun) introspect() any {
	var described list
	for _, sql := range []string{"select * from people where id = $1", "select * from posts",
		"insert into groups (member_ids) values ($1) returning *"} {
		statement := must(run.Prepare(run.ctx, sql, sql))
		var fields list
		for _, field := range statement.Fields {
			fields = append(fields, list{field.Name, field.DataTypeOID, field.DataTypeSize})
		}
		described = append(described, list{statement.ParamOIDs, fields})
	}
	return list{described, run.rows(run, columns)}
}
