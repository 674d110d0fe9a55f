package world

import (
	"context"
	"database/sql"

	"weft.dev/test/terraform/described"
)

// System is where all kinds of this provider are.
type System struct {
	settings described.Values
	database *sql.DB
}

func Provider(version int) described.Provider {
	return described.Provider{
		Name:    "weftworld",
		Version: version,
		Settings: []described.Field{
			{Name: "postgresql", Sensitive: true},
			{Name: "dns"},
			{Name: "dns_key", Sensitive: true},
			{Name: "service"},
		},
		Configure: func(_ context.Context, settings described.Values) (described.System, error) {
			database, err := sql.Open("postgres", settings["postgresql"])
			return &System{settings, database}, err
		},
		Kinds: []described.Kind{Role, File, Record, Job},
	}
}
