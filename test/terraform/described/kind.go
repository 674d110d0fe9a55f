// Package described makes providers of descriptions: what a kind is called, what it has, and how to make, find, change and remove one. The same
// description is served on SDK v2 and on the plugin framework, so that whatever differs is the SDK's doing.
package described

import "context"

// Values are what a thing has, by field; a number is its digits, and what is absent is null.
type Values map[string]string

type Field struct {
	Name      string
	Number    bool
	Required  bool
	Sensitive bool
	// Replaces: it cannot be changed in place.
	Replaces bool
	// Computed: the system decides.
	Computed bool
	// Unread: the system never tells it, as passwords.
	Unread bool
}

// System is where things are; Configured answers one.
type System any

type Kind struct {
	Name   string
	Fields []Field
	// Renamed by the second version of the schema: new name → old.
	Renamed map[string]string
	Create  func(ctx context.Context, system System, values Values) (id string, err error)
	// Read answers nil where there is none.
	Read   func(ctx context.Context, system System, id string) (Values, error)
	Update func(ctx context.Context, system System, id string, values Values) error
	Delete func(ctx context.Context, system System, id string) error
}

type Provider struct {
	Name string
	// Settings are the provider's configuration.
	Settings  []Field
	Configure func(ctx context.Context, settings Values) (System, error)
	Kinds     []Kind
	// Version of the schemas, 1 or 2.
	Version int
}

// fields of the version that the provider serves; in the first, those that were renamed later have their old names.
func (p Provider) fields(k Kind, version int) []Field {
	found := make([]Field, 0, len(k.Fields))
	for _, field := range k.Fields {
		if old, is := k.Renamed[field.Name]; is && version == 1 {
			field.Name = old
		}
		found = append(found, field)
	}
	return found
}

// key is what descriptions call a field, whatever the schema calls it.
func (k Kind) key(name string) string {
	for next, old := range k.Renamed {
		if old == name {
			return next
		}
	}
	return name
}
