// Command matrix runs the features of a Go client one by one, each with a new connection and empty
// tables, and prints what each gives as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

const empty = "truncate people, posts, tags, post_tags, groups"

const columns = `select table_name, column_name, data_type, udt_name, column_default
	from information_schema.columns where table_schema = 'public'
	order by table_name, ordinal_position`

// The tables are altered when all else is done.
var names = strings.Fields(`crud returning bulk upsert eager keyset arrays json transaction
	cascade errors prepared introspect altered`)

// A client makes the features with a connection of their own, and ends it.
type client interface {
	connect(ctx context.Context, dsn string) (features map[string]feature, end func(), err error)
	fault(err error) (state, message string)
}

// A feature may end by must.
type feature = func() any

type list = []any

// must ends a feature with its error, which run catches.
func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

type failure struct{ error }

// caught calls a function that may end by must.
func caught(call func() any) (result any, err error) {
	defer func() {
		if found := recover(); found != nil {
			failed, ok := found.(failure)
			if !ok {
				panic(found)
			}
			err = failed.error
		}
	}()
	return call(), nil
}

type page []struct{ ID, Title string }

// turned says of pages, by a function that is given the last id of the page before, what can be
// said in an order that differs between the sides.
func turned(next func(last string) page) list {
	var titles []string
	var sizes []int
	ids := map[string]bool{}
	last := ""
	for {
		rows := next(last)
		sizes = append(sizes, len(rows))
		if len(rows) == 0 {
			slices.Sort(titles)
			return list{titles, sizes, len(titles) - len(ids)}
		}
		for _, row := range rows {
			titles = append(titles, row.Title)
			ids[row.ID] = true
			last = row.ID
		}
	}
}

func line(ctx context.Context, of client, dsn, name string) string {
	features, end, err := of.connect(ctx, dsn)
	if err != nil {
		return "error " + err.Error()
	}
	defer end()
	result, err := caught(features[name])
	if err != nil {
		state, message := of.fault(err)
		return fmt.Sprintf("error %s %s", state, strings.SplitN(message, "\n", 2)[0])
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "error " + err.Error()
	}
	return string(text)
}

// ent's is here only where its code has been generated, by a tag of the build.
var clients = map[string]client{"pgx": pgxClient{}, "pq": pqClient{}, "gorm": gormClient{}, "bun": bunClient{}}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	host, port, user, database := os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	dsn := fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable", host, port, user, database)
	for _, name := range names {
		fmt.Printf("%s\t%s\n", name, line(ctx, clients[os.Args[1]], dsn, name))
	}
}
