package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// checks prints one line a check. Locked, because the overall timeout ends the
// program from another goroutine.
type checks struct {
	mutex          sync.Mutex
	passed, failed int
}

func (c *checks) run(name string, check func() error) {
	err := check()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil {
		c.failed++
		fmt.Printf("FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	c.passed++
	fmt.Printf("ok %s\n", name)
}

// summary prints the closing line and answers the exit code. It keeps the lock,
// so that nothing is printed after it.
func (c *checks) summary() int {
	c.mutex.Lock()
	fmt.Printf("%d passed, %d failed\n", c.passed, c.failed)
	if c.failed > 0 || c.passed == 0 {
		return 1
	}
	return 0
}

// eventually asks until the answer is nil, and gives the last error otherwise.
func eventually(ctx context.Context, limit time.Duration, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	last := fmt.Errorf("never asked")
	for {
		if ctx.Err() != nil {
			return fmt.Errorf("not within %s: %w", limit, last)
		}
		err := try(ctx)
		if err == nil {
			return nil
		}
		// The error of the last, cut-off request says less than the one before.
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}
