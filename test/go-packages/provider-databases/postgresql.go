package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

type postgresql struct {
	*pgx.Conn
	endpoint, port string
}

type observed struct {
	exists bool
	limit  int32
}

func openPostgresql(ctx context.Context, secret map[string][]byte) (*postgresql, error) {
	text := func(key string) string { return string(secret[key]) }
	at := url.URL{
		Scheme: "postgres",
		User:   url.UserPassword(text("username"), text("password")),
		Host:   text("endpoint") + ":" + text("port"),
		Path:   "/postgres",
	}
	connection, err := pgx.Connect(ctx, at.String())
	if err != nil {
		return nil, err
	}
	return &postgresql{Conn: connection, endpoint: text("endpoint"), port: text("port")}, nil
}

func (p *postgresql) observe(ctx context.Context, name string) (observed, error) {
	var found observed
	err := p.QueryRow(ctx, "select datconnlimit from pg_database where datname = $1", name).Scan(&found.limit)
	if errors.Is(err, pgx.ErrNoRows) {
		return observed{}, nil
	}
	found.exists = err == nil
	return found, err
}

// detailsFor is what a client needs, with a password that is used from now on.
func (p *postgresql) detailsFor(name string) map[string]string {
	return map[string]string{"endpoint": p.endpoint, "port": p.port, "username": name, "password": rand.Text(), "database": name}
}

// create can be repeated: what was made by a run that ended in the middle is taken up.
func (p *postgresql) create(ctx context.Context, name, password string) error {
	quoted := pgx.Identifier{name}.Sanitize()
	if _, err := p.Exec(ctx, "create role "+quoted); err != nil && codeOf(err) != duplicateObject {
		return err
	}
	// A password in base 32: nothing in it needs an escape.
	if _, err := p.Exec(ctx, fmt.Sprintf("alter role %s login password '%s'", quoted, password)); err != nil {
		return err
	}
	if _, err := p.Exec(ctx, fmt.Sprintf("grant %s to current_user", quoted)); err != nil {
		return err
	}
	_, err := p.Exec(ctx, fmt.Sprintf("create database %s owner %s", quoted, quoted))
	if codeOf(err) == duplicateDatabase {
		return nil
	}
	return err
}

func (p *postgresql) limit(ctx context.Context, name string, limit int32) error {
	_, err := p.Exec(ctx, fmt.Sprintf("alter database %s connection limit %d", pgx.Identifier{name}.Sanitize(), limit))
	return err
}

func (p *postgresql) remove(ctx context.Context, name string) error {
	quoted := pgx.Identifier{name}.Sanitize()
	if _, err := p.Exec(ctx, fmt.Sprintf("drop database if exists %s with (force)", quoted)); err != nil {
		return err
	}
	_, err := p.Exec(ctx, "drop role if exists "+quoted)
	return err
}

const (
	duplicateObject   = "42710"
	duplicateDatabase = "42P04"
)

func codeOf(err error) string {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}
