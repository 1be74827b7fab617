// Package schema has what ent generates its models from.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
	"github.com/lib/pq"
)

var integer = map[string]string{dialect.Postgres: "int"}

//go:generate go tool ent generate --target ../ent --feature sql/upsert,sql/lock,sql/modifier,sql/execquery .

type Person struct{ ent.Schema }

func (Person) Annotations() []schema.Annotation { return table("people") }

func (Person) Fields() []ent.Field {
	version := field.Int("version").SchemaType(integer).Default(1)
	return []ent.Field{id(), field.Text("email").Unique(), field.Text("name"), version}
}

func (Person) Edges() []ent.Edge {
	return []ent.Edge{edge.To("posts", Post.Type).Annotations(entsql.OnDelete(entsql.Cascade))}
}

type Post struct{ ent.Schema }

func (Post) Annotations() []schema.Annotation { return table("posts") }

func (Post) Fields() []ent.Field {
	return []ent.Field{
		id(), field.UUID("person_id", uuid.UUID{}), field.Text("title"),
		field.JSON("body", map[string]any{}).Optional(),
		field.Int("ordinal").SchemaType(integer).Optional().Nillable().Unique(),
	}
}

func (Post) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("person", Person.Type).Ref("posts").Field("person_id").Unique().Required(),
		edge.To("tags", Tag.Type).StorageKey(edge.Table("post_tags"), edge.Columns("post_id", "tag_id")),
	}
}

type Tag struct{ ent.Schema }

func (Tag) Annotations() []schema.Annotation { return table("tags") }

func (Tag) Fields() []ent.Field { return []ent.Field{id(), field.Text("name").Unique()} }

func (Tag) Edges() []ent.Edge { return []ent.Edge{edge.From("posts", Post.Type).Ref("tags")} }

type Group struct{ ent.Schema }

func (Group) Annotations() []schema.Annotation { return table("groups") }

func (Group) Fields() []ent.Field {
	ids := field.Other("member_ids", pq.StringArray{}).Default(pq.StringArray{})
	return []ent.Field{id(), field.Text("name"), ids.SchemaType(map[string]string{dialect.Postgres: "uuid[]"})}
}

func table(name string) []schema.Annotation { return []schema.Annotation{entsql.Table(name)} }

// id is one that the database makes.
func id() ent.Field {
	return field.UUID("id", uuid.UUID{}).Annotations(entsql.DefaultExpr("gen_random_uuid()"))
}
