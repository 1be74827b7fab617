package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lib/pq"
)

type pqClient struct{}

type pqRun struct {
	*sql.DB
	ctx context.Context
}

func (pqClient) connect(ctx context.Context, dsn string) (map[string]feature, func(), error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, empty); err != nil {
		return nil, nil, err
	}
	run := pqRun{db, ctx}
	features := map[string]feature{
		"crud": run.crud, "returning": run.returning, "bulk": run.bulk, "upsert": run.upsert,
		"eager": run.eager, "keyset": run.keyset, "arrays": run.arrays, "json": run.json,
		"transaction": run.transaction, "cascade": run.cascade, "errors": run.errors,
		"prepared": run.prepared, "altered": run.altered, "introspect": run.introspect,
	}
	return features, func() { _ = db.Close() }, nil
}

func (pqClient) fault(err error) (string, string) {
	var failed *pq.Error
	if errors.As(err, &failed) {
		return string(failed.Code), failed.Message
	}
	return fmt.Sprintf("%T", err), err.Error()
}

type pqQuerier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// read has the values of rows as they are, with bytes as text, which is what database/sql makes of
// an id.
func read(rows *sql.Rows) list {
	defer rows.Close()
	all := list{}
	names := must(rows.Columns())
	for rows.Next() {
		values, targets := make(list, len(names)), make(list, len(names))
		for at := range values {
			targets[at] = &values[at]
		}
		check(rows.Scan(targets...))
		for at, value := range values {
			if bytes, ok := value.([]byte); ok {
				values[at] = string(bytes)
			}
		}
		all = append(all, values)
	}
	check(rows.Err())
	return all
}

func (run pqRun) rows(by pqQuerier, query string, args ...any) list {
	return read(must(by.QueryContext(run.ctx, query, args...)))
}

func (run pqRun) exec(query string, args ...any) int64 {
	return must(must(run.ExecContext(run.ctx, query, args...)).RowsAffected())
}

func (run pqRun) people(by pqQuerier, names ...string) []string {
	var ids []string
	for _, name := range names {
		made := run.rows(by, "insert into people (email, name) values ($1, $2) returning id", name+"@example.org", name)
		ids = append(ids, made[0].(list)[0].(string))
	}
	return ids
}

func (run pqRun) posts(person string, first int, titles ...string) []string {
	var ids []string
	for at, title := range titles {
		var id string
		insert := "insert into posts (person_id, title, ordinal) values ($1, $2, $3) returning id"
		check(run.QueryRowContext(run.ctx, insert, person, title, first+at).Scan(&id))
		ids = append(ids, id)
	}
	return ids
}

func (run pqRun) tagged(post string, names ...string) {
	for _, name := range names {
		run.exec(`with made as (insert into tags (name) values ($2) returning id)
			insert into post_tags (post_id, tag_id) select $1, id from made`, post, name)
	}
}

func (run pqRun) crud() any {
	ids := run.people(run, "ann", "bob")
	byID := "select * from people where id = $1"
	read := run.rows(run, byID, ids[0])
	changed := run.exec("update people set name = $2, version = version + 1 where id = $1", ids[0], "Ann")
	gone := run.exec("delete from people where id = $1", ids[1])
	return list{read, changed, run.rows(run, byID, ids[0]), gone, run.rows(run, byID, ids[1])}
}

func (run pqRun) returning() any {
	ann := run.people(run, "ann")[0]
	run.posts(ann, 1, "a", "b")
	changed := run.rows(run, `update posts o set title = upper(title) from people p
		where p.id = o.person_id and p.id = $1 and o.ordinal = $2 returning o.id, p.id, o.title`, ann, 1)
	chained := run.rows(run, `with moved as (delete from posts where person_id = $1
			returning id, person_id, title)
		select m.id, p.id, m.title from moved m join people p on p.id = m.person_id order by m.title`, ann)
	return list{changed, chained}
}

func (run pqRun) bulk() any {
	ids := run.people(run, "ann", "bob")
	tx := must(run.BeginTx(run.ctx, nil))
	copying := must(tx.PrepareContext(run.ctx, pq.CopyIn("posts", "person_id", "title", "ordinal")))
	for at, title := range []string{"one", "two", "three"} {
		must(copying.ExecContext(run.ctx, ids[at%2], title, at))
	}
	must(copying.ExecContext(run.ctx))
	check(copying.Close())
	check(tx.Commit())
	unnested := run.rows(run, `with made as (insert into posts (person_id, title, ordinal)
			select * from unnest($1::uuid[], $2::text[], $3::int[]) returning id, person_id, title)
		select * from made order by title`, pq.Array(ids), pq.Array([]string{"four", "five"}), pq.Array([]int{4, 5}))
	return list{unnested, run.rows(run, "select id, person_id, title from posts order by ordinal")}
}

func (run pqRun) upsert() any {
	var rows list
	for _, name := range []string{"ann", "Ann", "ANN"} {
		rows = append(rows, run.rows(run, `insert into people (email, name) values ($1, $2)
			on conflict (email) do update set name = excluded.name, version = people.version + 1
			returning id, name, version, xmax = 0`, "ann@example.org", name))
	}
	nothing := run.rows(run, `insert into people (email, name) values ($1, 'x')
		on conflict do nothing returning id`, "ann@example.org")
	var ann string
	check(run.QueryRowContext(run.ctx, "select id from people").Scan(&ann))
	saved := run.rows(run, `insert into people (id, email, name) values ($1, $2, 'x')
		on conflict (id) do update set email = excluded.email returning id, email, name`, ann, "new")
	return list{rows, nothing, saved}
}

func (run pqRun) eager() any {
	ids := run.people(run, "ann", "bob", "cid")
	posts := run.posts(ids[0], 1, "one", "two")
	run.posts(ids[1], 3, "three")
	run.tagged(posts[0], "red", "blue")
	joined := run.rows(run, `select p.id, p.email, o.id, o.person_id, o.title from people p
		left join posts o on o.person_id = p.id order by p.email, o.ordinal`)
	selected := run.rows(run, `select person_id, id, title from posts where person_id = any($1)
		order by ordinal`, pq.Array(ids))
	many := run.rows(run, `select pt.post_id, t.id, t.name from tags t
		join post_tags pt on pt.tag_id = t.id where pt.post_id = any($1) order by t.name`, pq.Array(posts))
	return list{joined, selected, many}
}

func (run pqRun) keyset() any {
	ann := run.people(run, "ann")[0]
	for at := range 12 {
		run.posts(ann, at, fmt.Sprintf("t%02d", at))
	}
	return turned(func(last string) page {
		query, args := "select id, title from posts order by id limit 5", list{}
		if last != "" {
			query, args = "select id, title from posts where id > $1 order by id limit 5", list{last}
		}
		found := page{}
		for _, row := range run.rows(run, query, args...) {
			values := row.(list)
			found = append(found, struct{ ID, Title string }{values[0].(string), values[1].(string)})
		}
		return found
	})
}

func (run pqRun) arrays() any {
	ids := run.people(run, "ann", "bob", "cid")
	insert := "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids"
	made := list{run.rows(run, insert, "a", pq.Array(ids[:2])), run.rows(run, insert, "b", pq.Array([]string{}))}
	run.exec("update groups set member_ids = array_append(member_ids, $1) where name = 'b'", ids[2])
	var scanned []string
	check(run.QueryRowContext(run.ctx, "select member_ids from groups where name = 'a'").Scan(pq.Array(&scanned)))
	return list{
		made, scanned,
		run.rows(run, "select name, member_ids, member_ids[1] from groups order by name"),
		run.rows(run, "select name from groups where $1 = any(member_ids)", ids[1]),
		run.rows(run, "select name from groups where member_ids && $1", pq.Array(ids[:2])),
		run.rows(run, `select g.name, p.id from groups g join people p on p.id = any(g.member_ids)
			order by p.email`),
		run.rows(run, "select array_agg(id order by email) from people"),
	}
}

func (run pqRun) json() any {
	ann := run.people(run, "ann")[0]
	run.posts(ann, 1, "one", "two")
	body := must(json.Marshal(map[string]any{"by": ann, "marks": list{1, 2.5, nil}}))
	changed := run.rows(run, "update posts set body = $1 where title = 'one' returning id, body", body)
	parts := run.rows(run, "select body->>'by' from posts where body @> $1", `{"marks": [1]}`)
	built := run.rows(run, `select json_agg(json_build_object('id', id, 'person', person_id)
		order by title) from posts`)
	return list{changed, parts, built, run.rows(run, "select to_jsonb(o) from posts o order by title")}
}

func (run pqRun) transaction() any {
	tx := must(run.BeginTx(run.ctx, nil))
	run.people(tx, "ann")
	check(tx.Commit())
	tx = must(run.BeginTx(run.ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}))
	run.people(tx, "bob")
	check(tx.Rollback())
	tx = must(run.BeginTx(run.ctx, nil))
	run.people(tx, "cid")
	must(tx.ExecContext(run.ctx, "savepoint before"))
	if _, err := caught(func() any { return run.people(tx, "dan", "dan") }); err != nil {
		must(tx.ExecContext(run.ctx, "rollback to savepoint before"))
	}
	run.people(tx, "eve")
	check(tx.Commit())
	return run.rows(run, "select id, name from people order by name")
}

func (run pqRun) cascade() any {
	ids := run.people(run, "ann", "bob")
	run.tagged(run.posts(ids[0], 1, "one")[0], "red")
	run.posts(ids[1], 2, "two")
	gone := run.exec("delete from people where id = $1", ids[0])
	return list{gone, run.rows(run, "select id, person_id, title from posts"),
		run.rows(run, "select (select count(*) from post_tags), (select count(*) from tags)")}
}

func (run pqRun) failing(query string, args ...any) any {
	result, err := caught(func() any { return run.rows(run, query, args...) })
	var failed *pq.Error
	switch {
	case err == nil:
		return result
	case errors.As(err, &failed):
		return list{failed.Code, failed.Constraint, failed.Detail, failed.Message}
	}
	return err.Error()
}

func (run pqRun) errors() any {
	ids := run.people(run, "ann", "bob")
	run.exec("delete from people where id = $1", ids[1])
	post := "insert into posts (person_id, title) values ($1, 'x')"
	return list{
		run.failing("insert into people (email, name) values ($1, 'x')", "ann@example.org"),
		run.failing("insert into people (id, email, name) values ($1, 'x', 'x')", ids[0]),
		run.failing(post, ids[1]),
		run.failing(post, nil),
		run.failing("select name from people where id = $1", "not-a-uuid"),
		run.failing("select name from people where id = 1"),
	}
}

func (run pqRun) prepared() any {
	statement := must(run.PrepareContext(run.ctx, "select id, email, array[id] from people where id = $1"))
	defer statement.Close()
	var rows list
	var ids []string
	for at := range 20 {
		id := run.people(run, fmt.Sprintf("p%d", at))[0]
		ids = append(ids, id)
		rows = append(rows, read(must(statement.QueryContext(run.ctx, id))))
	}
	for range 20 {
		rows = append(rows, run.rows(run, "select count(*) from people where id = any($1)", pq.Array(ids)))
	}
	return rows
}

func (run pqRun) altered() any {
	run.people(run, "ann")
	statement := must(run.PrepareContext(run.ctx, "select * from people where name = $1"))
	defer statement.Close()
	var results list
	again := func() {
		rows, err := caught(func() any { return read(must(statement.QueryContext(run.ctx, "ann"))) })
		var failed *pq.Error
		if errors.As(err, &failed) {
			rows = list{failed.Code, failed.Message}
		}
		results = append(results, rows, run.failing("select * from people where name = $1", "ann"))
	}
	for range 8 {
		again()
	}
	run.exec("alter table people add column nick text default 'none'")
	for range 4 {
		again()
	}
	return results
}

func (run pqRun) introspect() any {
	var described list
	for _, table := range []string{"people", "posts", "groups"} {
		rows := must(run.QueryContext(run.ctx, "select * from "+table))
		for _, column := range must(rows.ColumnTypes()) {
			described = append(described, list{column.Name(), column.DatabaseTypeName(), column.ScanType().String()})
		}
		check(rows.Close())
	}
	return list{described, run.rows(run, columns)}
}
