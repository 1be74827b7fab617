package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"
	"github.com/uptrace/bun/migrate"
	"github.com/uptrace/bun/migrate/sqlschema"
)

type bunPerson struct {
	bun.BaseModel `bun:"table:people,alias:person"`

	ID      string     `bun:",pk,type:uuid,default:gen_random_uuid()"`
	Email   string     `bun:"type:text,notnull,unique"`
	Name    string     `bun:"type:text,notnull"`
	Version int        `bun:"type:integer,notnull,default:1"`
	Posts   []*bunPost `bun:"rel:has-many,join:id=person_id" json:",omitempty"`
}

type bunPost struct {
	bun.BaseModel `bun:"table:posts,alias:post"`

	ID       string         `bun:",pk,type:uuid,default:gen_random_uuid()"`
	PersonID string         `bun:"type:uuid,notnull"`
	Person   *bunPerson     `bun:"rel:belongs-to,join:person_id=id,on_delete:CASCADE" json:",omitempty"`
	Title    string         `bun:"type:text,notnull"`
	Body     map[string]any `bun:"type:jsonb,nullzero"`
	Ordinal  int            `bun:"type:integer,nullzero,unique"`
	Tags     []bunTag       `bun:"m2m:post_tags,join:Post=Tag" json:",omitempty"`
}

type bunTag struct {
	bun.BaseModel `bun:"table:tags,alias:tag"`

	ID   string `bun:",pk,type:uuid,default:gen_random_uuid()"`
	Name string `bun:"type:text,notnull,unique"`
}

type bunPair struct {
	bun.BaseModel `bun:"table:post_tags,alias:pair"`

	PostID string   `bun:",pk,type:uuid"`
	TagID  string   `bun:",pk,type:uuid"`
	Post   *bunPost `bun:"rel:belongs-to,join:post_id=id,on_delete:CASCADE" json:",omitempty"`
	Tag    *bunTag  `bun:"rel:belongs-to,join:tag_id=id,on_delete:CASCADE" json:",omitempty"`
}

type bunGroup struct {
	bun.BaseModel `bun:"table:groups,alias:g"`

	ID        string   `bun:",pk,type:uuid,default:gen_random_uuid()"`
	Name      string   `bun:"type:text,notnull"`
	MemberIDs []string `bun:"member_ids,array,type:uuid[],notnull,default:'{}'"`
}

// bunClient runs Bun on its own driver, which writes values into the text of a statement.
type bunClient struct{}

type bunRun struct {
	*bun.DB
	ctx context.Context
}

func (bunClient) connect(ctx context.Context, dsn string) (map[string]feature, func(), error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, nil, err
	}
	connector := pgdriver.NewConnector(
		pgdriver.WithAddr(net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))),
		pgdriver.WithUser(config.User), pgdriver.WithDatabase(config.Database), pgdriver.WithInsecure(true))
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(1)
	run := bunRun{bun.NewDB(pool, pgdialect.New()), ctx}
	run.RegisterModel(&bunPair{})
	if _, err := run.ExecContext(ctx, empty); err != nil {
		return nil, nil, err
	}
	features := map[string]feature{
		"crud": run.crud, "returning": run.returning, "bulk": run.bulk, "upsert": run.upsert,
		"eager": run.eager, "keyset": run.keyset, "arrays": run.arrays, "json": run.json,
		"transaction": run.transaction, "cascade": run.cascade, "errors": run.errors,
		"prepared": run.prepared, "altered": run.altered, "introspect": run.introspect,
	}
	return features, func() { _ = run.Close() }, nil
}

func (bunClient) fault(err error) (string, string) {
	var failed pgdriver.Error
	if errors.As(err, &failed) {
		return failed.Field('C'), failed.Field('M')
	}
	return fmt.Sprintf("%T", err), err.Error()
}

type bunQuery interface {
	Exec(ctx context.Context, dest ...any) (sql.Result, error)
	Scan(ctx context.Context, dest ...any) error
}

// exec is how many rows a query had, of which some return.
func (run bunRun) exec(query bunQuery, dest ...any) int64 {
	return must(must(query.Exec(run.ctx, dest...)).RowsAffected())
}

func (run bunRun) scan(query bunQuery, dest ...any) { check(query.Scan(run.ctx, dest...)) }

func (run bunRun) rows(query *bun.SelectQuery) list { return read(must(query.Rows(run.ctx))) }

func (run bunRun) people(by bun.IDB, names ...string) []bunPerson {
	var people []bunPerson
	for _, name := range names {
		people = append(people, bunPerson{Email: name + "@example.org", Name: name})
	}
	run.exec(by.NewInsert().Model(&people))
	return people
}

func (run bunRun) posts(person string, first int, titles ...string) []bunPost {
	var posts []bunPost
	for at, title := range titles {
		posts = append(posts, bunPost{PersonID: person, Title: title, Ordinal: first + at})
	}
	run.exec(run.NewInsert().Model(&posts))
	return posts
}

func (run bunRun) tagged(post string, names ...string) {
	for _, name := range names {
		tag := bunTag{Name: name}
		run.exec(run.NewInsert().Model(&tag))
		run.exec(run.NewInsert().Model(&bunPair{PostID: post, TagID: tag.ID}))
	}
}

func (run bunRun) allPeople() []bunPerson {
	var people []bunPerson
	run.scan(run.NewSelect().Model(&people).Order("name"))
	return people
}

func (run bunRun) allPosts() []bunPost {
	var posts []bunPost
	run.scan(run.NewSelect().Model(&posts).Relation("Tags", by("name")).Order("ordinal"))
	return posts
}

// by has what a relation loads in this order.
func by(order string) func(*bun.SelectQuery) *bun.SelectQuery {
	return func(query *bun.SelectQuery) *bun.SelectQuery { return query.Order(order) }
}

func (run bunRun) crud() any {
	people := run.people(run, "ann", "bob")
	read := bunPerson{ID: people[0].ID}
	run.scan(run.NewSelect().Model(&read).WherePK())
	read.Name = "Ann"
	saved := run.exec(run.NewUpdate().Model(&read).Column("name").WherePK())
	counted := run.NewUpdate().Model(&read).Set("version = version + ?", 2)
	changed := run.exec(counted.WherePK().Returning("version"))
	gone := run.exec(run.NewDelete().Model(&people[1]).WherePK())
	none := run.NewSelect().Model(&bunPerson{}).Where("id = ?", people[1].ID).Scan(run.ctx)
	is := must(run.NewSelect().Model(&read).WherePK().Exists(run.ctx))
	return list{people, read, saved, changed, gone, none.Error(), is, run.allPeople()}
}

func (run bunRun) returning() any {
	ann := run.people(run, "ann")[0]
	run.posts(ann.ID, 1, "a", "b")
	var changed []bunPost
	run.exec(run.NewUpdate().Model(&changed).TableExpr("people AS p").Set("title = upper(post.title)").
		Where("p.id = post.person_id").Where("p.id = ?", ann.ID).Where("ordinal = 1").Returning("post.*"))
	moved := run.NewDelete().Model((*bunPost)(nil)).Where("person_id = ?", ann.ID).Returning("*")
	chained := run.rows(run.NewSelect().With("moved", moved).TableExpr("moved AS m").
		Join("JOIN people AS p ON p.id = m.person_id").Column("m.id", "p.email", "m.title").
		ColumnExpr("p.id").Order("m.title"))
	return list{changed, chained}
}

func (run bunRun) bulk() any {
	people := run.people(run, "ann", "bob")
	posts := run.posts(people[0].ID, 1, "one", "two", "three")
	for at := range posts {
		posts[at].Title, posts[at].PersonID = strings.ToUpper(posts[at].Title), people[at%2].ID
	}
	changed := run.exec(run.NewUpdate().Model(&posts).Column("title", "person_id").Bulk())
	conn := must(run.Conn(run.ctx))
	var text strings.Builder
	for at, person := range people {
		fmt.Fprintf(&text, "%s\tcopied\t%d\n", person.ID, at+4)
	}
	copied := must(pgdriver.CopyFrom(run.ctx, conn, strings.NewReader(text.String()),
		"COPY posts (person_id, title, ordinal) FROM STDIN"))
	var written strings.Builder
	must(pgdriver.CopyTo(run.ctx, conn, &written,
		"COPY (SELECT id, person_id, title FROM posts ORDER BY ordinal) TO STDOUT"))
	check(conn.Close())
	gone := run.exec(run.NewDelete().Model(&posts).WherePK())
	return list{posts, changed, must(copied.RowsAffected()), written.String(), gone, run.allPosts()}
}

func (run bunRun) upsert() any {
	var rows list
	for _, name := range []string{"ann", "Ann", "ANN"} {
		row := bunPerson{Email: "ann@example.org", Name: name}
		run.exec(run.NewInsert().Model(&row).On("CONFLICT (email) DO UPDATE").Set("name = EXCLUDED.name").
			Set("version = person.version + 1").Returning("*"))
		rows = append(rows, row)
	}
	known := rows[0].(bunPerson).ID
	ignored := run.exec(run.NewInsert().Model(&bunPerson{Email: "ann@example.org", Name: "x"}).Ignore())
	all := bunPerson{ID: known, Email: "new", Name: "all"}
	run.exec(run.NewInsert().Model(&all).On("CONFLICT (id) DO UPDATE"))
	merged := []bunPerson{{Email: "new", Name: "merged"}, {Email: "bob", Name: "bob"}}
	data := run.NewValues(&merged).Column("email", "name")
	merge := run.NewMerge().Model(&bunPerson{}).With("_data", data).Using("_data").
		On("person.email = _data.email").WhenUpdate("MATCHED", func(query *bun.UpdateQuery) *bun.UpdateQuery {
		return query.Set("name = _data.name")
	}).WhenInsert("NOT MATCHED", func(query *bun.InsertQuery) *bun.InsertQuery {
		return query.Value("email", "_data.email").Value("name", "_data.name")
	})
	return list{rows, ignored, all, run.exec(merge), run.allPeople()}
}

func (run bunRun) eager() any {
	people := run.people(run, "ann", "bob", "cid")
	posts := run.posts(people[0].ID, 1, "one", "two")
	run.posts(people[1].ID, 3, "three")
	run.tagged(posts[0].ID, "red", "blue")
	var nested []bunPerson
	run.scan(run.NewSelect().Model(&nested).Relation("Posts", by("ordinal")).
		Relation("Posts.Tags", by("name")).Order("email"))
	var joined []bunPost
	run.scan(run.NewSelect().Model(&joined).Relation("Person").Relation("Tags", by("name")).Order("ordinal"))
	var chosen []bunPost
	run.scan(run.NewSelect().Model(&chosen).Relation("Person").Where("person.name = ?", "bob"))
	some := bunPerson{ID: people[0].ID}
	run.scan(run.NewSelect().Model(&some).WherePK().
		Relation("Posts", func(query *bun.SelectQuery) *bun.SelectQuery { return query.Where("title <> 'two'") }))
	var pairs []bunPair
	run.scan(run.NewSelect().Model(&pairs).Relation("Post").Relation("Tag").Order("tag.name"))
	counted := run.rows(run.NewSelect().Model(&people).ColumnExpr("person.id, count(o.id)").
		Join("LEFT JOIN posts AS o").JoinOn("o.person_id = person.id").Group("person.id").Order("person.email"))
	tagged := run.NewSelect().Model((*bunPair)(nil)).Column("post_id")
	untagged := run.rows(run.NewSelect().Model(&posts).Where("id NOT IN (?)", tagged).Order("ordinal"))
	return list{nested, joined, chosen, some, pairs, counted, untagged}
}

func (run bunRun) keyset() any {
	ann := run.people(run, "ann")[0].ID
	for at := range 12 {
		run.posts(ann, at+1, fmt.Sprintf("t%02d", at))
	}
	paged := func(order, after string, given ...any) list {
		return turned(func(last string) page {
			var rows page
			query := run.NewSelect().Model((*bunPost)(nil)).Column("id", "title").OrderExpr(order).Limit(5)
			if last != "" {
				query = query.Where(after, append(given, last)...)
			}
			run.scan(query, &rows)
			return rows
		})
	}
	return list{paged("id", "id > ?"), paged("person_id, id", "(person_id, id) > (?, ?)", ann)}
}

func (run bunRun) arrays() any {
	var ids []string
	for _, person := range run.people(run, "ann", "bob", "cid") {
		ids = append(ids, person.ID)
	}
	groups := []bunGroup{{Name: "a", MemberIDs: ids[:2]}, {Name: "b", MemberIDs: []string{}}}
	run.exec(run.NewInsert().Model(&groups))
	run.exec(run.NewUpdate().Model(&groups[1]).Set("member_ids = array_append(member_ids, ?)", ids[2]).WherePK())
	groups[0].MemberIDs = append(groups[0].MemberIDs, ids[2])
	run.exec(run.NewUpdate().Model(&groups[0]).WherePK())
	named := func(condition string, args ...any) (names []string) {
		query := run.NewSelect().Model(&bunGroup{}).Column("name")
		run.scan(query.Where(condition, args...).Order("name"), &names)
		return names
	}
	var all []bunGroup
	run.scan(run.NewSelect().Model(&all).Order("name"))
	members := run.NewSelect().Model(&all).ColumnExpr("g.name, p.id").
		Join("JOIN people AS p ON p.id = ANY(g.member_ids)").Order("g.name", "p.email")
	var gathered []string
	people := run.NewSelect().Model((*bunPerson)(nil))
	run.scan(people.Clone().ColumnExpr("array_agg(id ORDER BY email)"), pgdialect.Array(&gathered))
	return list{
		groups, all, named("? = ANY(member_ids)", ids[1]), named("member_ids && ?", pgdialect.Array(ids[1:2])),
		named("member_ids @> ?", pgdialect.Array(ids)), run.rows(members), gathered,
		run.rows(people.Clone().Where("id IN (?)", bun.List(ids[:2])).Order("email")),
		run.rows(people.Clone().Where("id = ANY(?)", pgdialect.Array(ids[1:])).Order("email")),
	}
}

func (run bunRun) json() any {
	ann := run.people(run, "ann")[0].ID
	post := run.posts(ann, 1, "one", "two")[0]
	post.Body = map[string]any{"by": ann, "marks": list{1, 2.5, nil}, "deep": map[string]any{"é": true}}
	run.exec(run.NewUpdate().Model(&post).Column("body").WherePK())
	within := run.NewUpdate().Model(&post).Set("body = jsonb_set(body, '{deep,at}', ?)", "3")
	run.exec(within.WherePK().Returning("*"))
	var marked []bunPost
	run.scan(run.NewSelect().Model(&marked).Where("body @> ?", `{"marks": [1]}`).Where("body ->> 'by' = ?", ann))
	var built, gathered []json.RawMessage
	run.scan(run.NewSelect().Model(&bunPost{}).ColumnExpr("json_build_object('id', id, 'person', person_id)").
		Order("ordinal"), &built)
	run.scan(run.NewSelect().Model(&bunPost{}).ColumnExpr("json_agg(to_jsonb(post) ORDER BY ordinal)"), &gathered)
	return list{post, marked, built, gathered, run.allPosts()}
}

func (run bunRun) transaction() any {
	check(run.RunInTx(run.ctx, nil, func(_ context.Context, tx bun.Tx) error {
		run.people(tx, "ann")
		return nil
	}))
	serializable := &sql.TxOptions{Isolation: sql.LevelSerializable}
	refused := run.RunInTx(run.ctx, serializable, func(_ context.Context, tx bun.Tx) error {
		run.people(tx, "bob")
		return errors.New("no")
	})
	check(run.RunInTx(run.ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		run.people(tx, "cid")
		within := tx.RunInTx(ctx, nil, func(_ context.Context, inner bun.Tx) error {
			_, err := caught(func() any { return run.people(inner, "dan", "dan") })
			return err
		})
		if within == nil {
			return errors.New("dan is there twice")
		}
		run.people(tx, "eve")
		return nil
	}))
	var locked []bunPerson
	run.scan(run.NewSelect().Model(&locked).Where("name = ?", "eve").For("UPDATE SKIP LOCKED"))
	return list{refused.Error(), locked, run.allPeople()}
}

func (run bunRun) cascade() any {
	people := run.people(run, "ann", "bob")
	run.tagged(run.posts(people[0].ID, 1, "one")[0].ID, "red")
	run.tagged(run.posts(people[1].ID, 2, "two")[0].ID, "blue")
	var tags []bunTag
	var gone bunPerson
	run.exec(run.NewDelete().Model(&gone).Where("id = ?", people[0].ID).Returning("*"))
	run.scan(run.NewSelect().Model(&tags).Order("name"))
	return list{gone, run.allPosts(), run.rows(run.NewSelect().Model((*bunPair)(nil))), tags}
}

// told is what a call ends with.
func (run bunRun) told(call func() any) any {
	result, err := caught(call)
	var failed pgdriver.Error
	switch {
	case err == nil:
		return result
	case errors.As(err, &failed):
		return list{failed.Field('C'), failed.Field('n'), failed.Field('D'), failed.Field('M'),
			failed.IntegrityViolation()}
	}
	return err.Error()
}

func (run bunRun) errors() any {
	people := run.people(run, "ann", "bob")
	run.exec(run.NewDelete().Model(&people[1]).WherePK())
	var results list
	for _, query := range []bunQuery{
		run.NewInsert().Model(&bunPerson{Email: "ann@example.org", Name: "x"}),
		run.NewInsert().Model(&bunPerson{ID: people[0].ID, Email: "x", Name: "x"}),
		run.NewInsert().Model(&bunPost{PersonID: people[1].ID, Title: "x"}),
		run.NewInsert().Model(&bunPost{Title: "x"}).Value("person_id", "NULL"),
		run.NewInsert().Model(&bunPost{Title: "x"}),
		run.NewRaw("SELECT name FROM people WHERE id = ?", "not-a-uuid"),
		run.NewRaw("SELECT name FROM people WHERE id = ?", 1),
		run.NewUpdate().Model(&people[0]).Set("name = 'x'"),
	} {
		results = append(results, run.told(func() any { return run.exec(query) }))
	}
	return results
}

func (run bunRun) prepared() any {
	statement := must(run.PrepareContext(run.ctx, "SELECT id, email, array[id] FROM people WHERE id = $1"))
	defer statement.Close()
	counting := must(run.PrepareContext(run.ctx, "SELECT count(*) FROM people WHERE id = any($1)"))
	defer counting.Close()
	var rows list
	var ids []string
	for at := range 20 {
		ids = append(ids, run.people(run, fmt.Sprintf("p%d", at))[0].ID)
		rows = append(rows, read(must(statement.QueryContext(run.ctx, ids[at]))),
			read(must(counting.QueryContext(run.ctx, "{"+strings.Join(ids, ",")+"}"))),
			must(run.NewSelect().Model(&bunPerson{}).Where("id IN (?)", bun.List(ids)).Count(run.ctx)))
	}
	return rows
}

func (run bunRun) altered() any {
	run.people(run, "ann")
	statement := must(run.PrepareContext(run.ctx, "SELECT * FROM people WHERE name = $1"))
	defer statement.Close()
	var results list
	again := func() {
		results = append(results,
			run.told(func() any { return read(must(statement.QueryContext(run.ctx, "ann"))) }),
			run.told(func() any { return run.rows(run.NewSelect().Table("people").Where("name = ?", "ann")) }))
	}
	for range 8 {
		again()
	}
	added := run.NewAddColumn().Model(&bunPerson{}).ColumnExpr("nick text DEFAULT 'none'")
	must(added.IfNotExists().Exec(run.ctx))
	for range 4 {
		again()
	}
	return append(results, run.told(func() any { return run.allPeople() }))
}

func (run bunRun) introspect() any {
	inspector := must(sqlschema.NewInspector(run.DB, sqlschema.WithSchemaName("public"),
		sqlschema.WithExcludeTables("")))
	database := must(inspector.Inspect(run.ctx))
	var keys []string
	for key, name := range database.GetForeignKeys() {
		keys = append(keys, fmt.Sprint(name, key))
	}
	slices.Sort(keys)
	folder := must(os.MkdirTemp("", "matrix"))
	defer os.RemoveAll(folder)
	models := migrate.WithModel(&bunPerson{}, &bunPost{}, &bunTag{}, &bunPair{}, &bunGroup{})
	migrator := must(migrate.NewAutoMigrator(run.DB, models, migrate.WithMigrationsDirectoryAuto(folder)))
	var changes []string
	for _, file := range must(migrator.CreateSQLMigrations(run.ctx)) {
		changes = append(changes, strings.Split(file.Content, "\n")...)
	}
	slices.Sort(changes)
	return list{database.GetTables(), keys, changes}
}
