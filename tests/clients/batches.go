// Command batches runs each block of a file as a batch of pgx, and prints what comes back.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const nobody = "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4"

func fail(err error) {
	if err != nil {
		panic(err)
	}
}

func tell(err error) {
	var known *pgconn.PgError
	if errors.As(err, &known) {
		fmt.Println("error", known.Code)
	} else {
		fmt.Println("error", err != nil)
	}
}

func show(results pgx.BatchResults) {
	rows, err := results.Query()
	if err != nil {
		tell(err)
		return
	}
	for rows.Next() {
		values, err := rows.Values()
		fail(err)
		for i, value := range values {
			values[i] = readable(value)
		}
		fmt.Println(values...)
	}
	if rows.Err() != nil {
		tell(rows.Err())
		return
	}
	fmt.Println(rows.CommandTag())
}

func readable(value any) any {
	switch value := value.(type) {
	case [16]byte:
		return fmt.Sprintf("%x-%x-%x-%x-%x", value[:4], value[4:6], value[6:8], value[8:10], value[10:])
	case []any:
		for i := range value {
			value[i] = readable(value[i])
		}
	}
	return value
}

func main() {
	ctx := context.Background()
	file, err := os.ReadFile(os.Args[2])
	fail(err)
	modes := []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
	}
	for _, mode := range modes {
		config, err := pgx.ParseConfig(os.Args[1])
		fail(err)
		config.DefaultQueryExecMode = mode
		connection, err := pgx.ConnectConfig(ctx, config)
		fail(err)
		var ann string
		fail(connection.QueryRow(ctx, "select id::text from users where name = 'Ann'").Scan(&ann))
		for _, block := range strings.Split(strings.TrimSpace(string(file)), "\n\n") {
			var batch pgx.Batch
			statements := strings.Split(block, "\n")
			fmt.Println("--", statements[0], mode)
			for _, statement := range statements {
				var arguments []any
				for name, id := range map[string]string{":ann": ann, ":nobody": nobody} {
					if strings.Contains(statement, name) {
						statement = strings.ReplaceAll(statement, name, "$1::uuid")
						arguments = []any{id}
					}
				}
				batch.Queue(statement, arguments...)
			}
			results := connection.SendBatch(ctx, &batch)
			for range statements {
				show(results)
			}
			results.Close()
		}
		fail(connection.Close(ctx))
	}
}
