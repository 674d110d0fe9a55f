package world

import (
	"context"
	"errors"
	"os"
	"strings"

	"weft.dev/test/terraform/described"
)

// File is a file whose first line is a note, and the rest its text.
var File = described.Kind{
	Name: "file",
	Fields: []described.Field{
		{Name: "path", Required: true, Replaces: true},
		{Name: "text", Required: true},
		{Name: "remark"},
	},
	Renamed: map[string]string{"remark": "note"},
	Create: func(_ context.Context, _ described.System, values described.Values) (string, error) {
		file, err := os.OpenFile(values["path"], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return "", err
		}
		defer file.Close()
		_, err = file.WriteString(content(values))
		return values["path"], err
	},
	Read: func(_ context.Context, _ described.System, id string) (described.Values, error) {
		bytes, err := os.ReadFile(id)
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		remark, text, _ := strings.Cut(string(bytes), "\n")
		return described.Values{"path": id, "text": text, "remark": remark}, err
	},
	Update: func(_ context.Context, _ described.System, id string, values described.Values) error {
		return os.WriteFile(id, []byte(content(values)), 0o666)
	},
	Delete: func(_ context.Context, _ described.System, id string) error { return os.Remove(id) },
}

func content(values described.Values) string { return values["remark"] + "\n" + values["text"] }
