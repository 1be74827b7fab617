//go:build generated

package main

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/dialect/sql/sqljson"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/lib/pq"

	"matrix/ent"
	"matrix/ent/group"
	"matrix/ent/person"
	"matrix/ent/post"
	"matrix/ent/tag"
)

func init() { clients["ent"] = entClient{} }

// entClient runs ent by the database/sql of pgx, with its errors.
type entClient struct{ pgxClient }

type entRun struct {
	*ent.Client
	ctx context.Context
}

func (entClient) connect(ctx context.Context, dsn string) (map[string]feature, func(), error) {
	pool, err := stdsql.Open("pgx", dsn)
	if err != nil {
		return nil, nil, err
	}
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, empty); err != nil {
		return nil, nil, err
	}
	run := entRun{ent.NewClient(ent.Driver(sql.OpenDB(dialect.Postgres, pool))), ctx}
	features := map[string]feature{
		"crud": run.crud, "returning": run.returning, "bulk": run.bulk, "upsert": run.upsert,
		"eager": run.eager, "keyset": run.keyset, "arrays": run.arrays, "json": run.json,
		"transaction": run.transaction, "cascade": run.cascade, "errors": run.errors,
		"prepared": run.prepared, "altered": run.altered, "introspect": run.introspect,
	}
	return features, func() { _ = run.Close() }, nil
}

func (run entRun) rows(query string, args ...any) list {
	return read(must(run.QueryContext(run.ctx, query, args...)))
}

func (run entRun) person(by *ent.PersonClient, name string) *ent.PersonCreate {
	return by.Create().SetEmail(name + "@example.org").SetName(name)
}

// people are made one by one, for ent learns the ids that a database makes of no more than one row.
func (run entRun) people(by *ent.PersonClient, names ...string) []*ent.Person {
	var people []*ent.Person
	for _, name := range names {
		people = append(people, must(run.person(by, name).Save(run.ctx)))
	}
	return people
}

func (run entRun) posts(of *ent.Person, first int, titles ...string) []*ent.Post {
	var posts []*ent.Post
	for at, title := range titles {
		create := run.Post.Create().SetPerson(of).SetTitle(title).SetOrdinal(first + at)
		posts = append(posts, must(create.Save(run.ctx)))
	}
	return posts
}

func (run entRun) tags(names ...string) []*ent.Tag {
	var tags []*ent.Tag
	for _, name := range names {
		tags = append(tags, must(run.Tag.Create().SetName(name).Save(run.ctx)))
	}
	return tags
}

func (run entRun) allPeople() []*ent.Person {
	return must(run.Person.Query().Order(person.ByName()).All(run.ctx))
}

func (run entRun) allPosts() []*ent.Post {
	named := func(query *ent.TagQuery) { query.Order(tag.ByName()) }
	return must(run.Post.Query().WithTags(named).Order(post.ByOrdinal()).All(run.ctx))
}

func (run entRun) crud() any {
	ann := must(run.person(run.Person, "ann").Save(run.ctx))
	bob := must(run.person(run.Person, "bob").Save(run.ctx))
	read := must(run.Person.Get(run.ctx, ann.ID))
	saved := must(read.Update().SetName("Ann").AddVersion(2).Save(run.ctx))
	changed := must(run.Person.Update().Where(person.IDIn(ann.ID, bob.ID)).AddVersion(1).Save(run.ctx))
	check(run.Person.DeleteOne(bob).Exec(run.ctx))
	_, none := run.Person.Get(run.ctx, bob.ID)
	is := must(run.Person.Query().Where(person.ID(ann.ID)).Exist(run.ctx))
	return list{ann, read, saved, changed, ent.IsNotFound(none), none.Error(), is, run.allPeople()}
}

func (run entRun) returning() any {
	ann := run.people(run.Person, "ann")[0]
	made := run.posts(ann, 1, "a", "b")
	changed := must(made[0].Update().Modify(func(update *sql.UpdateBuilder) {
		update.Set(post.FieldTitle, sql.Expr("upper(title)"))
	}).Save(run.ctx))
	chained := run.rows(`with moved as (delete from posts where person_id = $1
			returning id, person_id, title)
		select m.id, p.id, m.title from moved m join people p on p.id = m.person_id order by m.title`, ann.ID)
	return list{made, changed, chained}
}

func (run entRun) bulk() any {
	people := run.people(run.Person, "ann", "bob")
	titles := []string{"one", "two", "three"}
	made := must(run.Post.MapCreateBulk(titles, func(create *ent.PostCreate, at int) {
		create.SetPerson(people[at%2]).SetTitle(titles[at]).SetOrdinal(at)
	}).Save(run.ctx))
	check(run.Tag.CreateBulk(run.Tag.Create().SetName("red"), run.Tag.Create().SetName("blue")).Exec(run.ctx))
	ids := must(run.Post.Query().Order(post.ByOrdinal()).IDs(run.ctx))
	changed := must(run.Post.Update().Where(post.IDIn(ids[:2]...)).SetPerson(people[1]).Save(run.ctx))
	gone := must(run.Post.Delete().Where(post.ID(ids[0])).Exec(run.ctx))
	return list{people, len(made), ids, changed, gone, run.allPosts(),
		must(run.Tag.Query().Order(tag.ByName()).All(run.ctx))}
}

func (run entRun) upsert() any {
	var ids []uuid.UUID
	for _, name := range []string{"ann", "Ann", "ANN"} {
		create := run.Person.Create().SetEmail("ann@example.org").SetName(name)
		ids = append(ids, must(create.OnConflictColumns(person.FieldEmail).
			Update(func(update *ent.PersonUpsert) { update.UpdateName().AddVersion(1) }).ID(run.ctx)))
	}
	ignored := run.person(run.Person, "ann").OnConflictColumns(person.FieldEmail).Ignore().Exec(run.ctx)
	nothing := run.person(run.Person, "ann").OnConflictColumns(person.FieldEmail).DoNothing().Exec(run.ctx)
	all := must(run.Person.Create().SetID(ids[0]).SetEmail("new").SetName("new").
		OnConflictColumns(person.FieldID).UpdateNewValues().ID(run.ctx))
	both := run.Person.CreateBulk(run.Person.Create().SetEmail("new").SetName("newer"), run.person(run.Person, "bob"))
	check(both.OnConflictColumns(person.FieldEmail).
		Update(func(update *ent.PersonUpsert) { update.UpdateName() }).Exec(run.ctx))
	return list{ids, ignored, fmt.Sprint(nothing), all, run.allPeople()}
}

func (run entRun) eager() any {
	people := run.people(run.Person, "ann", "bob", "cid")
	posts := run.posts(people[0], 1, "one", "two")
	run.posts(people[1], 3, "three")
	tags := run.tags("red", "blue")
	check(posts[0].Update().AddTags(tags...).Exec(run.ctx))
	check(posts[1].Update().AddTagIDs(tags[0].ID).Exec(run.ctx))
	check(posts[1].Update().ClearTags().AddTags(tags[1]).Exec(run.ctx))
	named := func(query *ent.TagQuery) { query.Order(tag.ByName()) }
	ordered := func(query *ent.PostQuery) { query.Order(post.ByOrdinal()).WithTags(named) }
	firsts := func(query *ent.PostQuery) { query.Order(post.ByOrdinal()).Limit(1) }
	with := must(run.Person.Query().WithPosts(ordered).Order(person.ByEmail()).All(run.ctx))
	first := must(run.Person.Query().WithPosts(firsts).Order(person.ByEmail()).All(run.ctx))
	chosen := must(run.Post.Query().Where(post.HasPersonWith(person.Name("bob"))).WithPerson().All(run.ctx))
	without := must(run.Person.Query().Where(person.Not(person.HasPosts())).All(run.ctx))
	walked := must(people[0].QueryPosts().QueryTags().Order(tag.ByName()).WithPosts(ordered).All(run.ctx))
	ranked := must(run.Person.Query().Order(person.ByPostsCount(sql.OrderDesc()), person.ByName()).IDs(run.ctx))
	type count struct {
		ID    uuid.UUID `sql:"person_id"`
		Count int
	}
	var counted []count
	grouped := run.Post.Query().GroupBy(post.FieldPersonID).Aggregate(ent.Count())
	check(grouped.Scan(run.ctx, &counted))
	slices.SortFunc(counted, func(a, b count) int { return b.Count - a.Count })
	return list{with, first, chosen, without, walked, ranked, counted}
}

func (run entRun) keyset() any {
	ann := run.people(run.Person, "ann")[0]
	for at := range 12 {
		run.posts(ann, at, fmt.Sprintf("t%02d", at))
	}
	return turned(func(last string) page {
		query := run.Post.Query().Order(post.ByID()).Limit(5)
		if last != "" {
			query = query.Where(post.IDGT(uuid.MustParse(last)))
		}
		rows := page{}
		for _, each := range must(query.All(run.ctx)) {
			rows = append(rows, struct{ ID, Title string }{each.ID.String(), each.Title})
		}
		return rows
	})
}

func (run entRun) arrays() any {
	var ids pq.StringArray
	for _, each := range run.people(run.Person, "ann", "bob", "cid") {
		ids = append(ids, each.ID.String())
	}
	one := must(run.Group.Create().SetName("a").SetMemberIds(ids[:2]).Save(run.ctx))
	two := must(run.Group.Create().SetName("b").Save(run.ctx))
	changed := must(one.Update().SetMemberIds(ids).Save(run.ctx))
	appended := must(run.Group.UpdateOne(two).Modify(func(update *sql.UpdateBuilder) {
		update.Set(group.FieldMemberIds, sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("array_append(member_ids, ").Arg(ids[2]).WriteString(")")
		}))
	}).Save(run.ctx))
	named := func(before string, argument any, after string) []string {
		within := func(selector *sql.Selector) {
			selector.Where(sql.P(func(b *sql.Builder) { b.WriteString(before).Arg(argument).WriteString(after) }))
		}
		found := run.Group.Query().Where(within).Order(group.ByName())
		return must(found.Select(group.FieldName).Strings(run.ctx))
	}
	return list{
		one, two, changed, appended, must(run.Group.Query().Order(group.ByName()).All(run.ctx)),
		named("", ids[1], " = any(member_ids)"), named("member_ids && ", ids[1:], ""),
		named("member_ids @> ", ids, ""),
		run.rows(`select g.name, p.id from groups g join people p on p.id = any(g.member_ids)
			order by g.name, p.email`),
		run.rows("select array_agg(id order by email) from people where id = any($1)", ids[:2]),
	}
}

func (run entRun) json() any {
	ann := run.people(run.Person, "ann")[0]
	posts := run.posts(ann, 1, "one", "two")
	body := map[string]any{"by": ann.ID.String(), "marks": list{1, 2.5, nil}, "deep": map[string]any{"é": true}}
	changed := must(posts[0].Update().SetBody(body).Save(run.ctx))
	having := func(of func(column string) *sql.Predicate) []uuid.UUID {
		within := func(selector *sql.Selector) { selector.Where(of(selector.C(post.FieldBody))) }
		return must(run.Post.Query().Where(within).IDs(run.ctx))
	}
	by := having(func(column string) *sql.Predicate {
		return sqljson.ValueEQ(column, ann.ID.String(), sqljson.Path("by"))
	})
	marked := having(func(column string) *sql.Predicate {
		return sqljson.ValueContains(column, 2.5, sqljson.Path("marks"))
	})
	three := having(func(column string) *sql.Predicate { return sqljson.LenEQ(column, 3, sqljson.Path("marks")) })
	deep := having(func(column string) *sql.Predicate { return sqljson.HasKey(column, sqljson.DotPath("deep.é")) })
	var built []struct{ Built json.RawMessage }
	check(run.Post.Query().Order(post.ByOrdinal()).Modify(func(selector *sql.Selector) {
		selector.Select("json_build_object('id', id, 'person', person_id, 'row', to_jsonb(posts)) AS built")
	}).Scan(run.ctx, &built))
	return list{changed, by, marked, three, deep, built, run.allPosts()}
}

func (run entRun) transaction() any {
	tx := must(run.Tx(run.ctx))
	run.people(tx.Person, "ann")
	check(tx.Commit())
	tx = must(run.BeginTx(run.ctx, &stdsql.TxOptions{Isolation: stdsql.LevelSerializable}))
	run.people(tx.Person, "bob")
	check(tx.Rollback())
	tx = must(run.Tx(run.ctx))
	run.people(tx.Person, "cid")
	must(tx.ExecContext(run.ctx, "savepoint before"))
	_, twice := caught(func() any { return run.people(tx.Person, "dan", "dan") })
	must(tx.ExecContext(run.ctx, "rollback to savepoint before"))
	run.people(tx.Person, "eve")
	locked := must(tx.Person.Query().Where(person.Name("eve")).ForUpdate(sql.WithLockAction(sql.NoWait)).Only(run.ctx))
	check(tx.Commit())
	return list{ent.IsConstraintError(twice), locked.Unwrap(), run.allPeople()}
}

func (run entRun) cascade() any {
	people := run.people(run.Person, "ann", "bob")
	one, two := run.posts(people[0], 1, "one")[0], run.posts(people[1], 2, "two")[0]
	tags := run.tags("red", "blue")
	check(run.Tag.UpdateOne(tags[0]).AddPosts(one, two).Exec(run.ctx))
	check(two.Update().AddTags(tags[1]).Exec(run.ctx))
	gone := must(run.Person.Delete().Where(person.HasPostsWith(post.Title("one"))).Exec(run.ctx))
	check(run.Tag.DeleteOneID(tags[1].ID).Exec(run.ctx))
	return list{gone, run.allPosts(), run.rows("select post_id, tag_id from post_tags")}
}

// told is what a call ends with.
func (run entRun) told(call func() any) any {
	result, err := caught(call)
	var failed *pgconn.PgError
	switch {
	case err == nil:
		return result
	case errors.As(err, &failed):
		return list{failed.Code, failed.ConstraintName, failed.Detail, failed.Message, ent.IsConstraintError(err)}
	}
	return list{ent.IsValidationError(err), err.Error()}
}

func (run entRun) errors() any {
	people := run.people(run.Person, "ann", "bob")
	check(run.Person.DeleteOne(people[1]).Exec(run.ctx))
	byID := "select name from people where id = $1"
	return list{
		run.told(func() any { return run.people(run.Person, "ann") }),
		run.told(func() any { return must(run.person(run.Person, "x").SetID(people[0].ID).Save(run.ctx)) }),
		run.told(func() any { return run.posts(people[1], 1, "x") }),
		run.told(func() any { return must(run.Post.Create().SetTitle("x").Save(run.ctx)) }),
		run.told(func() any { return must(run.Person.Query().Only(run.ctx)).ID }),
		run.told(func() any { return run.rows(byID, "not-a-uuid") }),
		run.told(func() any { return run.rows(byID, 1) }),
		run.told(func() any { return run.rows("select name from people where id = 1") }),
	}
}

func (run entRun) prepared() any {
	var rows list
	var ids []uuid.UUID
	for at := range 20 {
		ids = append(ids, run.people(run.Person, fmt.Sprintf("p%d", at))[0].ID)
		rows = append(rows, must(run.Person.Get(run.ctx, ids[at])),
			must(run.Person.Query().Where(person.IDIn(ids[at/2:at+1]...)).Count(run.ctx)))
	}
	return rows
}

func (run entRun) altered() any {
	run.people(run.Person, "ann")
	var results list
	again := func() {
		results = append(results,
			run.told(func() any { return run.rows("select * from people where name = $1", "ann") }),
			run.told(func() any { return run.allPeople() }))
	}
	for range 8 {
		again()
	}
	must(run.ExecContext(run.ctx, "alter table people add column nick text default 'none'"))
	for range 4 {
		again()
	}
	return results
}

func (run entRun) introspect() any {
	var changes strings.Builder
	check(run.Schema.WriteTo(run.ctx, &changes, schema.WithDropColumn(true), schema.WithDropIndex(true)))
	lines := strings.Split(changes.String(), "\n")
	slices.Sort(lines)
	return list{lines, run.rows(columns)}
}
