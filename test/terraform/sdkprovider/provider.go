// Package sdkprovider is a provider on SDK v2, whose values are known not to follow the rules of the protocol.
package sdkprovider

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"weft.dev/test/terraform/store"
)

func New() *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"directory": {Type: schema.TypeString, Required: true},
			"api_key":   {Type: schema.TypeString, Optional: true, Sensitive: true},
		},
		ConfigureContextFunc: func(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
			if d.Get("api_key").(string) == "wrong" {
				return nil, diag.Errorf("the key is not accepted")
			}
			return store.Store{Directory: d.Get("directory").(string)}, nil
		},
		ResourcesMap: map[string]*schema.Resource{"weftsdk_thing": thing()},
		DataSourcesMap: map[string]*schema.Resource{"weftsdk_thing": {
			Schema: map[string]*schema.Schema{
				"id":   {Type: schema.TypeString, Required: true},
				"size": {Type: schema.TypeInt, Computed: true},
			},
			ReadContext: func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				found, err := meta.(store.Store).Read(d.Get("id").(string))
				if err != nil || found == nil {
					return diag.Errorf("there is no thing %s", d.Get("id"))
				}
				d.SetId(d.Get("id").(string))
				return diag.FromErr(d.Set("size", number(found["size"])))
			},
		}},
	}
}

func thing() *schema.Resource {
	return &schema.Resource{
		SchemaVersion: 1,
		StateUpgraders: []schema.StateUpgrader{{
			Version: 0,
			Type:    (&schema.Resource{Schema: map[string]*schema.Schema{"title": {Type: schema.TypeString, Required: true}}}).CoreConfigSchema().ImpliedType(),
			Upgrade: func(_ context.Context, raw map[string]any, _ any) (map[string]any, error) {
				raw["name"] = raw["title"]
				delete(raw, "title")
				return raw, nil
			},
		}},
		Importer: &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
		Timeouts: &schema.ResourceTimeout{Create: schema.DefaultTimeout(20 * time.Minute), Delete: schema.DefaultTimeout(5 * time.Minute)},
		Schema: map[string]*schema.Schema{
			"name":     {Type: schema.TypeString, Required: true, ForceNew: true},
			"size":     {Type: schema.TypeInt, Optional: true, Default: 1},
			"big":      {Type: schema.TypeInt, Optional: true},
			"ratio":    {Type: schema.TypeFloat, Optional: true},
			"text":     {Type: schema.TypeString, Optional: true},
			"note":     {Type: schema.TypeString, Optional: true, Computed: true},
			"mode":     {Type: schema.TypeString, Optional: true},
			"password": {Type: schema.TypeString, Optional: true, Sensitive: true},
			"token":    {Type: schema.TypeString, Computed: true, Sensitive: true},
			"tags":     {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"items":    {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"members":  {Type: schema.TypeSet, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"rule": {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"port":    {Type: schema.TypeInt, Required: true},
				"proto":   {Type: schema.TypeString, Optional: true, Default: "tcp"},
				"comment": {Type: schema.TypeString, Optional: true},
			}}},
			"network": {Type: schema.TypeList, Optional: true, MaxItems: 1, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"cidr":  {Type: schema.TypeString, Required: true},
				"label": {Type: schema.TypeString, Optional: true, Computed: true},
			}}},
		},
		CreateContext: create,
		ReadContext:   read,
		UpdateContext: update,
		DeleteContext: func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			return diag.FromErr(meta.(store.Store).Delete(d.Id()))
		},
	}
}

func create(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	s := meta.(store.Store)
	if err := store.Misbehave(ctx, d.Get("mode").(string)); err != nil {
		return diag.FromErr(err)
	}
	id, err := s.Create(d.Get("name").(string), content(d))
	if err != nil {
		return diag.FromErr(err)
	}
	d.SetId(id)
	if d.Get("mode").(string) == "partial" {
		return diag.Errorf("this thing was only made in part")
	}
	return read(ctx, d, meta)
}

func update(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	if d.Get("mode").(string) == "refuse-update" {
		return diag.Errorf("this thing cannot be changed")
	}
	if err := meta.(store.Store).Update(d.Id(), content(d)); err != nil {
		return diag.FromErr(err)
	}
	return read(ctx, d, meta)
}

func content(d *schema.ResourceData) store.Thing {
	found := store.Thing{"token": "token-of-" + d.Get("name").(string)}
	for _, name := range []string{"name", "size", "big", "ratio", "text", "note", "mode", "password", "tags", "items"} {
		found[name] = d.Get(name)
	}
	if found["note"] == "" {
		found["note"] = "noted"
	}
	found["members"] = d.Get("members").(*schema.Set).List()
	found["rule"] = d.Get("rule").(*schema.Set).List()
	networks := d.Get("network").([]any)
	for _, network := range networks {
		if n, is := network.(map[string]any); is && n["label"] == "" {
			n["label"] = "labelled"
		}
	}
	found["network"] = networks
	return found
}

func read(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	found, err := meta.(store.Store).Read(d.Id())
	if err != nil {
		return diag.FromErr(err)
	}
	if found == nil {
		d.SetId("")
		return nil
	}
	// The password is not given out again, as such systems do.
	errs := []error{}
	for _, name := range []string{"name", "text", "note", "mode", "token", "tags", "items", "members"} {
		errs = append(errs, d.Set(name, found[name]))
	}
	for _, name := range []string{"size", "big"} {
		errs = append(errs, d.Set(name, number(found[name])))
	}
	if ratio, is := found["ratio"].(json.Number); is {
		float, _ := ratio.Float64()
		errs = append(errs, d.Set("ratio", float))
	}
	rules := []any{}
	for _, rule := range list(found["rule"]) {
		r := rule.(map[string]any)
		r["port"] = number(r["port"])
		rules = append(rules, r)
	}
	errs = append(errs, d.Set("rule", rules), d.Set("network", list(found["network"])))
	return diag.FromErr(errors.Join(errs...))
}

func list(value any) []any {
	found, _ := value.([]any)
	return found
}

func number(value any) int {
	if text, is := value.(json.Number); is {
		found, _ := strconv.Atoi(text.String())
		return found
	}
	return 0
}
