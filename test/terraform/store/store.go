// Package store is what the test providers manage: a directory with a JSON file for each thing, and a log of what was done.
package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type Store struct {
	Directory string
	// Key is what the provider was configured with.
	Key string
}

// Thing is what is kept of one; its id is assigned here, so creating one twice makes two.
type Thing map[string]any

func (s Store) path(id string) string { return filepath.Join(s.Directory, id+".json") }

func (s Store) Create(name string, thing Thing) (string, error) {
	random := make([]byte, 6)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	id := name + "-" + hex.EncodeToString(random)
	s.Log("create", id)
	return id, s.write(id, thing)
}

// Put makes what has a name of its own.
func (s Store) Put(id string, thing Thing) error {
	s.Log("create", id)
	return s.write(id, thing)
}

func (s Store) Update(id string, thing Thing) error {
	s.Log("update", id)
	return s.write(id, thing)
}

func (s Store) write(id string, thing Thing) error {
	bytes, err := json.Marshal(thing)
	if err != nil {
		return err
	}
	half := s.path(id) + ".half"
	if err := os.WriteFile(half, bytes, 0o600); err != nil {
		return err
	}
	return os.Rename(half, s.path(id))
}

// Read answers nil where there is none.
func (s Store) Read(id string) (Thing, error) {
	bytes, err := os.ReadFile(s.path(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	thing := Thing{}
	decoder := json.NewDecoder(strings.NewReader(string(bytes)))
	decoder.UseNumber()
	return thing, decoder.Decode(&thing)
}

func (s Store) Delete(id string) error {
	s.Log("delete", id)
	err := os.Remove(s.path(id))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is not there", id)
	}
	return err
}

func (s Store) Log(what, id string) {
	file, err := os.OpenFile(filepath.Join(s.Directory, "operations.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	fmt.Fprintln(file, what, id)
}

// Misbehave does what a mode asks for: each is a trap that providers set.
func Misbehave(ctx context.Context, mode string) error {
	switch {
	case mode == "panic":
		panic("this thing makes its provider crash")
	case mode == "fail":
		return errors.New("this thing cannot be made")
	case strings.HasPrefix(mode, "say:"):
		return errors.New(strings.TrimPrefix(mode, "say:"))
	case mode == "noisy":
		for i := 0; i < 2000; i++ {
			fmt.Println(strings.Repeat("x", 100))
		}
	case strings.HasPrefix(mode, "slow:"):
		wait, err := time.ParseDuration(strings.TrimPrefix(mode, "slow:"))
		if err != nil {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
