package world

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"weft.dev/test/terraform/described"
)

// Job is something of a service that says "accepted" to every change, and is done with it later. The service makes up its id.
var Job = described.Kind{
	Name: "job",
	Fields: []described.Field{
		{Name: "name", Required: true, Replaces: true},
		{Name: "capacity", Number: true, Required: true},
		{Name: "token", Computed: true, Sensitive: true},
	},
	Renamed: map[string]string{"capacity": "size"},
	Create: func(ctx context.Context, system described.System, values described.Values) (string, error) {
		made, err := call(ctx, system, "POST", "", values)
		if err != nil {
			return "", err
		}
		return made["id"], settle(ctx, system, made["id"], false)
	},
	Read: func(ctx context.Context, system described.System, id string) (described.Values, error) {
		return call(ctx, system, "GET", id, nil)
	},
	Update: func(ctx context.Context, system described.System, id string, values described.Values) error {
		if _, err := call(ctx, system, "PUT", id, values); err != nil {
			return err
		}
		return settle(ctx, system, id, false)
	},
	Delete: func(ctx context.Context, system described.System, id string) error {
		if _, err := call(ctx, system, "DELETE", id, nil); err != nil {
			return err
		}
		return settle(ctx, system, id, true)
	},
}

func settle(ctx context.Context, system described.System, id string, gone bool) error {
	for {
		found, err := call(ctx, system, "GET", id, nil)
		switch {
		case err != nil:
			return err
		case found == nil && gone:
			return nil
		case found == nil:
			return fmt.Errorf("job %s is gone", id)
		case found["phase"] == "ready" && !gone:
			return nil
		case found["phase"] == "failed":
			return fmt.Errorf("job %s failed", id)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func call(ctx context.Context, system described.System, method, id string, values described.Values) (described.Values, error) {
	body, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, system.(*System).settings["service"]+"/jobs/"+id, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if answer.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if err != nil || answer.StatusCode >= 300 {
		return nil, fmt.Errorf("the service answers %s: %s", answer.Status, text)
	}
	found := described.Values{}
	return found, json.Unmarshal(text, &found)
}
