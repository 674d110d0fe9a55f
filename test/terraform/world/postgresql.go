// Package world describes kinds of real systems: PostgreSQL, files, records of a DNS server, and a service that takes its time.
package world

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/lib/pq"

	"weft.dev/test/terraform/described"
)

// Role is a role of PostgreSQL. Its password is never told again.
var Role = described.Kind{
	Name: "role",
	Fields: []described.Field{
		{Name: "name", Required: true, Replaces: true},
		{Name: "max_sessions", Number: true},
		{Name: "password", Sensitive: true, Unread: true},
		{Name: "oid", Computed: true},
	},
	Renamed: map[string]string{"max_sessions": "connection_limit"},
	Create: func(ctx context.Context, system described.System, values described.Values) (string, error) {
		name := values["name"]
		if err := exec(ctx, system, "create role "+pq.QuoteIdentifier(name)+options(values)); err != nil {
			return "", err
		}
		return name, nil
	},
	Read: func(ctx context.Context, system described.System, id string) (described.Values, error) {
		found := described.Values{"name": id}
		var limit int
		var oid string
		err := system.(*System).database.QueryRowContext(ctx, "select rolconnlimit, oid::text from pg_roles where rolname = $1", id).Scan(&limit, &oid)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if limit >= 0 {
			found["max_sessions"] = strconv.Itoa(limit)
		}
		found["oid"] = oid
		return found, err
	},
	Update: func(ctx context.Context, system described.System, id string, values described.Values) error {
		return exec(ctx, system, "alter role "+pq.QuoteIdentifier(id)+options(values))
	},
	Delete: func(ctx context.Context, system described.System, id string) error {
		return exec(ctx, system, "drop role "+pq.QuoteIdentifier(id))
	},
}

func options(values described.Values) string {
	limit := values["max_sessions"]
	if limit == "" {
		limit = "-1"
	}
	text := " with login connection limit " + limit
	if password := values["password"]; password != "" {
		text += " password " + pq.QuoteLiteral(password)
	}
	return text
}

func exec(ctx context.Context, system described.System, statement string) error {
	_, err := system.(*System).database.ExecContext(ctx, statement)
	return err
}
