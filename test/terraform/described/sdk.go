package described

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// SDK serves kinds on SDK v2.
func (p Provider) SDK(kinds ...Kind) *schema.Provider {
	resources := map[string]*schema.Resource{}
	for _, kind := range kinds {
		resources[p.Name+"_"+kind.Name] = p.sdkResource(kind)
	}
	return &schema.Provider{
		Schema:       sdkSchema(p.Settings),
		ResourcesMap: resources,
		ConfigureContextFunc: func(ctx context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
			system, err := p.Configure(ctx, sdkValues(d, p.Settings, Kind{}))
			return system, diag.FromErr(err)
		},
	}
}

func sdkSchema(fields []Field) map[string]*schema.Schema {
	found := map[string]*schema.Schema{}
	for _, field := range fields {
		each := &schema.Schema{
			Type: schema.TypeString, Required: field.Required, Optional: !field.Required && !field.Computed, Computed: field.Computed,
			Sensitive: field.Sensitive, ForceNew: field.Replaces,
		}
		if field.Number {
			each.Type = schema.TypeInt
		}
		found[field.Name] = each
	}
	return found
}

func sdkValues(d *schema.ResourceData, fields []Field, kind Kind) Values {
	values := Values{}
	for _, field := range fields {
		switch value := d.Get(field.Name).(type) {
		case string:
			if value != "" {
				values[kind.key(field.Name)] = value
			}
		case int:
			if value != 0 {
				values[kind.key(field.Name)] = strconv.Itoa(value)
			}
		}
	}
	return values
}

func (p Provider) sdkResource(kind Kind) *schema.Resource {
	fields := p.fields(kind, p.Version)
	read := func(ctx context.Context, d *schema.ResourceData, system any) diag.Diagnostics {
		found, err := kind.Read(ctx, system, d.Id())
		if err != nil {
			return diag.FromErr(err)
		}
		if found == nil {
			d.SetId("")
			return nil
		}
		for _, field := range fields {
			if field.Unread {
				continue
			}
			var value any
			if text, is := found[kind.key(field.Name)]; is {
				value = text
				if field.Number {
					value, _ = strconv.Atoi(text)
				}
			}
			if err := d.Set(field.Name, value); err != nil {
				return diag.FromErr(err)
			}
		}
		return nil
	}
	made := &schema.Resource{
		Schema:   sdkSchema(fields),
		Importer: &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
		CreateContext: func(ctx context.Context, d *schema.ResourceData, system any) diag.Diagnostics {
			id, err := kind.Create(ctx, system, sdkValues(d, fields, kind))
			// What is known of a thing that was made in part.
			d.SetId(id)
			if err != nil {
				return diag.FromErr(err)
			}
			return read(ctx, d, system)
		},
		ReadContext: read,
		DeleteContext: func(ctx context.Context, d *schema.ResourceData, system any) diag.Diagnostics {
			return diag.FromErr(kind.Delete(ctx, system, d.Id()))
		},
	}
	for _, field := range fields {
		if field.Replaces || field.Computed {
			continue
		}
		made.UpdateContext = func(ctx context.Context, d *schema.ResourceData, system any) diag.Diagnostics {
			if err := kind.Update(ctx, system, d.Id(), sdkValues(d, fields, kind)); err != nil {
				return diag.FromErr(err)
			}
			return read(ctx, d, system)
		}
	}
	if p.Version == 2 {
		made.SchemaVersion = 2
		made.StateUpgraders = []schema.StateUpgrader{{
			Version: 1,
			Type:    (&schema.Resource{Schema: sdkSchema(p.fields(kind, 1))}).CoreConfigSchema().ImpliedType(),
			Upgrade: func(_ context.Context, raw map[string]any, _ any) (map[string]any, error) {
				for next, old := range kind.Renamed {
					raw[next] = raw[old]
					delete(raw, old)
				}
				return raw, nil
			},
		}}
	} else {
		made.SchemaVersion = 1
		made.StateUpgraders = []schema.StateUpgrader{{
			Version: 0,
			Type:    (&schema.Resource{Schema: sdkSchema(fields)}).CoreConfigSchema().ImpliedType(),
			Upgrade: func(_ context.Context, raw map[string]any, _ any) (map[string]any, error) { return raw, nil },
		}}
	}
	return made
}
