package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

type gormPerson struct {
	ID      string     `gorm:"type:uuid;primaryKey;default:gen_random_uuid()"`
	Email   string     `gorm:"type:text;not null;unique"`
	Name    string     `gorm:"type:text;not null"`
	Version int        `gorm:"type:integer;not null;default:1"`
	Posts   []gormPost `gorm:"foreignKey:PersonID;constraint:OnDelete:CASCADE" json:",omitempty"`
}

type gormPost struct {
	ID       string         `gorm:"type:uuid;primaryKey;default:gen_random_uuid()"`
	PersonID string         `gorm:"type:uuid;not null;index:posts_person_id_idx"`
	Person   *gormPerson    `json:",omitempty"`
	Title    string         `gorm:"type:text;not null"`
	Body     map[string]any `gorm:"type:jsonb;serializer:json"`
	Ordinal  *int           `gorm:"type:integer;unique"`
	Tags     []gormTag      `gorm:"many2many:post_tags;joinForeignKey:post_id;joinReferences:tag_id" json:",omitempty"`
}

type gormTag struct {
	ID   string `gorm:"type:uuid;primaryKey;default:gen_random_uuid()"`
	Name string `gorm:"type:text;not null;unique"`
}

type gormGroup struct {
	ID        string         `gorm:"type:uuid;primaryKey;default:gen_random_uuid()"`
	Name      string         `gorm:"type:text;not null"`
	MemberIDs pq.StringArray `gorm:"column:member_ids;type:uuid[];not null;default:'{}'"`
}

type gormNicked struct {
	gormPerson
	Nick string `gorm:"type:text;default:none"`
}

func (gormPerson) TableName() string { return "people" }
func (gormPost) TableName() string   { return "posts" }
func (gormTag) TableName() string    { return "tags" }
func (gormGroup) TableName() string  { return "groups" }

// statements keeps what a session ran.
type statements struct {
	logger.Interface
	ran *[]string
}

func (kept statements) Trace(_ context.Context, _ time.Time, called func() (string, int64), _ error) {
	text, _ := called()
	*kept.ran = append(*kept.ran, text)
}

// gormClient has the errors of pgx, which GORM runs on.
type gormClient struct{ pgxClient }

type gormRun struct {
	*gorm.DB
	dsn string
}

func (gormClient) connect(ctx context.Context, dsn string) (map[string]feature, func(), error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, nil, err
	}
	pool.SetMaxOpenConns(1)
	run := gormRun{db.WithContext(ctx), dsn}
	if err := run.Exec(empty).Error; err != nil {
		return nil, nil, err
	}
	features := map[string]feature{
		"crud": run.crud, "returning": run.returning, "bulk": run.bulk, "upsert": run.upsert,
		"eager": run.eager, "keyset": run.keyset, "arrays": run.arrays, "json": run.json,
		"transaction": run.transaction, "cascade": run.cascade, "errors": run.errors,
		"prepared": run.prepared, "altered": run.altered, "introspect": run.introspect,
	}
	return features, func() { _ = pool.Close() }, nil
}

// done is how many rows a statement had.
func done(db *gorm.DB) int64 {
	check(db.Error)
	return db.RowsAffected
}

// found has the rows of a query, as models or as maps.
func found[T any](db *gorm.DB) []T {
	var rows []T
	done(db.Find(&rows))
	return rows
}

func gormPeople(names ...string) []gormPerson {
	var people []gormPerson
	for _, name := range names {
		people = append(people, gormPerson{Email: name + "@example.org", Name: name})
	}
	return people
}

func gormPosts(first int, titles ...string) []gormPost {
	var posts []gormPost
	for at, title := range titles {
		ordinal := first + at
		posts = append(posts, gormPost{Title: title, Ordinal: &ordinal})
	}
	return posts
}

func (run gormRun) people(names ...string) []gormPerson {
	people := gormPeople(names...)
	done(run.Create(&people))
	return people
}

func (run gormRun) crud() any {
	people := run.people("ann", "bob")
	ann, bob := people[0], people[1]
	var read, again gormPerson
	done(run.First(&read, "id = ?", ann.ID))
	read.Name = "Ann"
	done(run.Save(&read))
	increased := gorm.Expr("version + ?", 2)
	changed := done(run.Model(&ann).Updates(map[string]any{"name": "Anne", "version": increased}))
	gone := done(run.Delete(&bob))
	none := run.Take(&gormPerson{}, "id = ?", bob.ID).Error
	done(run.Take(&again, gormPerson{ID: ann.ID}))
	var count int64
	done(run.Model(&gormPerson{}).Where("id IN ?", []string{ann.ID, bob.ID}).Count(&count))
	return list{people, read, changed, gone, none.Error(), again, count}
}

func (run gormRun) returning() any {
	ann := gormPeople("ann")[0]
	ann.Posts = gormPosts(1, "a", "b", "c")
	done(run.Create(&ann))
	var changed, gone []gormPost
	done(run.Model(&changed).Clauses(clause.Returning{}).Where("ordinal = ?", 1).
		Update("title", gorm.Expr("upper(title)")))
	named := clause.Returning{Columns: []clause.Column{{Name: "id"}, {Name: "person_id"}}}
	done(run.Clauses(named).Where("person_id = ? AND ordinal = ?", ann.ID, 2).Delete(&gone))
	var chained []map[string]any
	done(run.Raw(`with moved as (delete from posts where person_id = @ann
			returning id, person_id, title)
		select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
		order by m.title`, map[string]any{"ann": ann.ID}).Scan(&chained))
	return list{ann, changed, gone, chained}
}

func (run gormRun) bulk() any {
	people := run.people("ann", "bob")
	posts := gormPosts(1, "one", "two", "three", "four", "five")
	for at := range posts {
		posts[at].PersonID = people[at%2].ID
	}
	made := done(run.CreateInBatches(&posts, 2))
	rows := []map[string]any{{"person_id": people[0].ID, "title": "six", "ordinal": 6},
		{"person_id": people[1].ID, "title": "seven", "ordinal": 7}}
	mapped := done(run.Model(&gormPost{}).Create(&rows))
	changed := done(run.Model(&posts).Update("title", gorm.Expr("upper(title)")))
	var ids []string
	done(run.Model(&gormPost{}).Order("ordinal").Pluck("id", &ids))
	return list{posts, made, mapped, rows, changed, ids, found[gormPost](run.Order("ordinal"))}
}

func (run gormRun) upsert() any {
	email := []clause.Column{{Name: "email"}}
	counted := clause.OnConflict{Columns: email, DoUpdates: clause.Assignments(map[string]any{
		"name": gorm.Expr("excluded.name"), "version": gorm.Expr("people.version + 1")})}
	var rows list
	for _, name := range []string{"ann", "Ann", "ANN"} {
		row := gormPerson{Email: "ann@example.org", Name: name}
		done(run.Clauses(counted, clause.Returning{}).Create(&row))
		rows = append(rows, row)
	}
	known := rows[0].(gormPerson).ID
	ignored := done(run.Clauses(clause.OnConflict{DoNothing: true}).Create(&gormPeople("ann")[0]))
	all := gormPerson{ID: known, Email: "new", Name: "all"}
	done(run.Clauses(clause.OnConflict{UpdateAll: true}).Create(&all))
	saved := gormPerson{ID: known, Email: "saved", Name: "saved", Version: 7}
	done(run.Save(&saved))
	var first, second gormPerson
	done(run.Where(gormPerson{Email: "saved"}).Assign(gormPerson{Name: "assigned"}).FirstOrCreate(&first))
	done(run.Where(gormPerson{Email: "bob"}).Attrs(gormPerson{Name: "bob"}).FirstOrCreate(&second))
	return list{rows, ignored, all, saved, first, second, found[gormPerson](run.Order("email"))}
}

func (run gormRun) eager() any {
	people := gormPeople("ann", "bob", "cid")
	people[0].Posts = gormPosts(1, "one", "two")
	people[0].Posts[0].Tags = []gormTag{{Name: "red"}, {Name: "blue"}}
	people[1].Posts = gormPosts(3, "three")
	done(run.Create(&people))
	by := func(order string) func(*gorm.DB) *gorm.DB {
		return func(db *gorm.DB) *gorm.DB { return db.Order(order) }
	}
	preloaded := found[gormPerson](run.Preload("Posts", by("ordinal")).
		Preload("Posts.Tags", by("name")).Order("email"))
	some := found[gormPerson](run.Preload("Posts", "title <> ?", "two").Order("email").Limit(2))
	joined := found[gormPost](run.Joins("Person").Preload("Tags", by("name")).Order("ordinal"))
	inner := found[gormPost](run.InnerJoins("Person", run.Where(&gormPerson{Name: "bob"})))
	var counts []map[string]any
	done(run.Model(&gormPerson{}).Select("people.id, count(o.id) as posts").
		Joins("left join posts o on o.person_id = people.id").
		Group("people.id").Order("people.email").Find(&counts))
	tags := func() *gorm.Association { return run.Model(&people[0].Posts[1]).Association("Tags") }
	check(tags().Append(&gormTag{Name: "green"}, &people[0].Posts[0].Tags[0]))
	check(tags().Replace(&people[0].Posts[0].Tags[1]))
	var left []gormTag
	check(tags().Find(&left))
	pair := []list{{people[0].Posts[1].ID, left[0].ID}}
	pairs := found[map[string]any](run.Table("post_tags").Where("(post_id, tag_id) IN ?", pair))
	tagged := run.Table("post_tags").Select("post_id")
	untagged := found[gormPost](run.Where("id NOT IN (?)", tagged))
	return list{preloaded, some, joined, inner, counts, left, tags().Count(), pairs, untagged}
}

func (run gormRun) keyset() any {
	ann := gormPeople("ann")[0]
	for at := range 12 {
		ann.Posts = append(ann.Posts, gormPosts(at, fmt.Sprintf("t%02d", at))...)
	}
	done(run.Create(&ann))
	pages := turned(func(last string) page {
		var rows page
		query := run.Model(&gormPost{}).Order("id").Limit(5)
		if last != "" {
			query = query.Where("id > ?", last)
		}
		done(query.Find(&rows))
		return rows
	})
	pairs := turned(func(last string) page {
		var rows page
		query := run.Model(&gormPost{}).Order("person_id, id").Limit(5)
		if last != "" {
			query = query.Where("(person_id, id) > (?, ?)", ann.ID, last)
		}
		done(query.Find(&rows))
		return rows
	})
	var sizes []int
	var batch []gormPost
	done(run.FindInBatches(&batch, 5, func(*gorm.DB, int) error {
		sizes = append(sizes, len(batch))
		return nil
	}))
	return list{pages, pairs, sizes}
}

func (run gormRun) arrays() any {
	var ids pq.StringArray
	for _, person := range run.people("ann", "bob", "cid") {
		ids = append(ids, person.ID)
	}
	groups := []gormGroup{{Name: "a", MemberIDs: ids[:2]}, {Name: "b", MemberIDs: pq.StringArray{}}}
	done(run.Create(&groups))
	done(run.Model(&groups[1]).Update("member_ids", gorm.Expr("array_append(member_ids, ?)", ids[2])))
	groups[0].MemberIDs = append(groups[0].MemberIDs, ids[2])
	done(run.Save(&groups[0]))
	named := func(condition string, args ...any) (names []string) {
		done(run.Model(&gormGroup{}).Where(condition, args...).Order("name").Pluck("name", &names))
		return names
	}
	var members []map[string]any
	done(run.Table("groups g").Select("g.name, p.id").Joins("join people p on p.id = any(g.member_ids)").
		Order("g.name, p.email").Scan(&members))
	var gathered pq.StringArray
	check(run.Model(&gormPerson{}).Select("array_agg(id order by email)").Row().Scan(&gathered))
	return list{
		groups, found[gormGroup](run.Order("name")),
		named("? = any(member_ids)", ids[1]), named("member_ids && ?", ids[1:2]),
		named("member_ids @> ?", ids), members, gathered,
		found[gormPerson](run.Where("id = any(?)", ids[:2]).Order("email")),
	}
}

func (run gormRun) json() any {
	ann := run.people("ann")[0]
	body := map[string]any{"by": ann.ID, "marks": list{1, 2.5, nil}, "deep": map[string]any{"é": true}}
	posts := gormPosts(1, "one", "two")
	posts[0].Body, posts[0].PersonID, posts[1].PersonID = body, ann.ID, ann.ID
	done(run.Create(&posts))
	done(run.Model(&posts[0]).Update("body", gorm.Expr("jsonb_set(body, '{deep,at}', ?)", "3")))
	marked := found[gormPost](run.Where("body @> ?", `{"marks": [1]}`))
	by := found[gormPost](run.Where("body ->> 'by' = ?", ann.ID))
	var built []struct{ Built, Row json.RawMessage }
	done(run.Model(&gormPost{}).Order("ordinal").
		Select("json_build_object('id', id, 'person', person_id) as built, to_jsonb(posts) as row").Find(&built))
	return list{found[gormPost](run.Order("ordinal")), marked, by, built}
}

func (run gormRun) transaction() any {
	create := func(db *gorm.DB, names ...string) error {
		people := gormPeople(names...)
		return db.Create(&people).Error
	}
	check(run.Transaction(func(tx *gorm.DB) error { return create(tx, "ann") }))
	refused := run.Transaction(func(tx *gorm.DB) error {
		check(create(tx, "bob"))
		return errors.New("no")
	})
	check(run.Transaction(func(tx *gorm.DB) error {
		check(create(tx, "cid"))
		if tx.Transaction(func(inner *gorm.DB) error { return create(inner, "dan", "dan") }) == nil {
			return errors.New("dan is there twice")
		}
		return create(tx, "eve")
	}))
	tx := run.Begin()
	check(create(tx, "fay"))
	check(tx.SavePoint("before").Error)
	check(create(tx, "guy"))
	check(tx.RollbackTo("before").Error)
	check(tx.Commit().Error)
	var locked gormPerson
	done(run.Clauses(clause.Locking{Strength: "UPDATE"}).Where("name = ?", "fay").Take(&locked))
	return list{refused.Error(), locked, found[gormPerson](run.Order("name"))}
}

func (run gormRun) cascade() any {
	people := gormPeople("ann", "bob")
	people[0].Posts, people[1].Posts = gormPosts(1, "one"), gormPosts(2, "two")
	people[0].Posts[0].Tags = []gormTag{{Name: "red"}}
	people[1].Posts[0].Tags = []gormTag{{Name: "blue"}}
	done(run.Create(&people))
	gone := done(run.Delete(&gormPerson{}, "id = ?", people[0].ID))
	selected := done(run.Select("Tags").Delete(&people[1].Posts[0]))
	return list{gone, selected, found[gormPerson](run.Preload("Posts")),
		found[map[string]any](run.Table("post_tags")), found[gormTag](run.Order("name"))}
}

// told is what a query ends with, whose error GORM translates to one of its own.
func (run gormRun) told(db *gorm.DB, result any) any {
	var failed *pgconn.PgError
	switch {
	case db.Error == nil:
		return result
	case errors.As(db.Error, &failed):
		translated := run.Dialector.(gorm.ErrorTranslator).Translate(failed)
		return list{failed.Code, failed.ConstraintName, failed.Detail, failed.Message, translated.Error()}
	}
	return db.Error.Error()
}

func (run gormRun) errors() any {
	people := run.people("ann", "bob")
	done(run.Delete(&people[1]))
	var results list
	for _, db := range []*gorm.DB{
		run.Create(gormPeople("ann")),
		run.Create(&gormPerson{ID: people[0].ID, Email: "x", Name: "x"}),
		run.Create(&gormPost{PersonID: people[1].ID, Title: "x"}),
		run.Model(&gormPost{}).Create(map[string]any{"title": "x"}),
		run.Take(&gormPerson{}, "id = ?", "not-a-uuid"),
		run.Take(&gormPerson{}, 1),
		run.Delete(&gormPerson{}),
	} {
		results = append(results, run.told(db, db.RowsAffected))
	}
	return results
}

func (run gormRun) prepared() any {
	plain := postgres.New(postgres.Config{DSN: run.dsn, PreferSimpleProtocol: true})
	simple := must(gorm.Open(plain, &gorm.Config{Logger: logger.Discard}))
	defer func() { check(must(simple.DB()).Close()) }()
	var rows list
	var ids []string
	for at := range 20 {
		ids = append(ids, run.people(fmt.Sprintf("p%d", at))[0].ID)
		for _, db := range []*gorm.DB{run.DB, run.Session(&gorm.Session{PrepareStmt: true}), simple} {
			rows = append(rows, found[gormPerson](db.Where("id = ?", ids[at])))
			var count int64
			done(db.Model(&gormPerson{}).Where("id = any(?)", pq.Array(ids)).Count(&count))
			rows = append(rows, count)
		}
	}
	return rows
}

func (run gormRun) altered() any {
	run.people("ann")
	var results list
	again := func() {
		for _, db := range []*gorm.DB{run.DB, run.Session(&gorm.Session{PrepareStmt: true})} {
			var rows []map[string]any
			db = db.Raw("select * from people where name = ?", "ann").Scan(&rows)
			results = append(results, run.told(db, rows))
		}
	}
	for range 8 {
		again()
	}
	check(run.Migrator().AddColumn(&gormNicked{}, "Nick"))
	for range 4 {
		again()
	}
	return append(results, found[gormNicked](run.DB))
}

func (run gormRun) introspect() any {
	migrator := run.Migrator()
	var described list
	for _, model := range []any{&gormPerson{}, &gormPost{}, &gormTag{}, &gormGroup{}} {
		for _, column := range must(migrator.ColumnTypes(model)) {
			whole, _ := column.ColumnType()
			key, _ := column.PrimaryKey()
			counted, _ := column.AutoIncrement()
			nullable, _ := column.Nullable()
			unique, _ := column.Unique()
			value, given := column.DefaultValue()
			described = append(described, list{column.Name(), column.DatabaseTypeName(), whole, key, counted,
				nullable, unique, value, given, column.ScanType().String()})
		}
		indexes := must(migrator.GetIndexes(model))
		slices.SortFunc(indexes, func(a, b gorm.Index) int { return strings.Compare(a.Name(), b.Name()) })
		for _, index := range indexes {
			unique, _ := index.Unique()
			described = append(described, list{index.Name(), index.Columns(), unique})
		}
	}
	var changes []string
	tx := run.Session(&gorm.Session{Logger: statements{logger.Discard, &changes}}).Begin()
	check(tx.AutoMigrate(&gormPerson{}, &gormPost{}, &gormTag{}, &gormGroup{}))
	check(tx.Rollback().Error)
	changes = slices.DeleteFunc(changes, func(text string) bool { return !strings.HasPrefix(text, "ALTER") })
	slices.Sort(changes)
	tables := must(migrator.GetTables())
	slices.Sort(tables)
	return list{tables, described, changes}
}
