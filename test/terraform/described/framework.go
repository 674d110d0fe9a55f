package described

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	settings "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Framework serves kinds on the plugin framework.
func (p Provider) Framework(kinds ...Kind) provider.Provider { return &frameworkProvider{p, kinds} }

type frameworkProvider struct {
	Provider
	kinds []Kind
}

func (p *frameworkProvider) Metadata(_ context.Context, _ provider.MetadataRequest, answer *provider.MetadataResponse) {
	answer.TypeName = p.Name
}

func (p *frameworkProvider) Schema(_ context.Context, _ provider.SchemaRequest, answer *provider.SchemaResponse) {
	attributes := map[string]settings.Attribute{}
	for _, field := range p.Settings {
		attributes[field.Name] = settings.StringAttribute{Required: field.Required, Optional: !field.Required, Sensitive: field.Sensitive}
	}
	answer.Schema = settings.Schema{Attributes: attributes}
}

func (p *frameworkProvider) Configure(ctx context.Context, request provider.ConfigureRequest, answer *provider.ConfigureResponse) {
	system, err := p.Provider.Configure(ctx, values(ctx, request.Config, p.Settings, Kind{}, &answer.Diagnostics))
	if err != nil {
		answer.Diagnostics.AddError("it cannot be reached", err.Error())
	}
	answer.ResourceData = system
}

func (p *frameworkProvider) Resources(context.Context) []func() resource.Resource {
	found := []func() resource.Resource{}
	for _, kind := range p.kinds {
		found = append(found, func() resource.Resource {
			return &frameworkResource{provider: p.Provider, kind: kind, fields: p.fields(kind, p.Version)}
		})
	}
	return found
}

func (*frameworkProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

type frameworkResource struct {
	provider Provider
	kind     Kind
	fields   []Field
	system   System
}

func (r *frameworkResource) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = r.provider.Name + "_" + r.kind.Name
}

func (r *frameworkResource) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	answer.Schema = frameworkSchema(r.fields, r.provider.Version)
}

func frameworkSchema(fields []Field, version int) schema.Schema {
	attributes := map[string]schema.Attribute{
		"id": schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
	}
	for _, field := range fields {
		optional := !field.Required && !field.Computed
		if field.Number {
			modifiers := []planmodifier.Int64{}
			if field.Replaces {
				modifiers = append(modifiers, int64planmodifier.RequiresReplace())
			}
			attributes[field.Name] = schema.Int64Attribute{
				Required: field.Required, Optional: optional, Computed: field.Computed, Sensitive: field.Sensitive, PlanModifiers: modifiers,
			}
			continue
		}
		modifiers := []planmodifier.String{}
		if field.Replaces {
			modifiers = append(modifiers, stringplanmodifier.RequiresReplace())
		}
		if field.Computed {
			modifiers = append(modifiers, stringplanmodifier.UseStateForUnknown())
		}
		attributes[field.Name] = schema.StringAttribute{
			Required: field.Required, Optional: optional, Computed: field.Computed, Sensitive: field.Sensitive, PlanModifiers: modifiers,
		}
	}
	return schema.Schema{Version: int64(version), Attributes: attributes}
}

func (r *frameworkResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if request.ProviderData != nil {
		r.system = request.ProviderData
	}
}

type getter interface {
	GetAttribute(context.Context, path.Path, any) diag.Diagnostics
}

func values(ctx context.Context, from getter, fields []Field, kind Kind, diags *diag.Diagnostics) Values {
	found := Values{}
	for _, field := range fields {
		if field.Number {
			var value types.Int64
			diags.Append(from.GetAttribute(ctx, path.Root(field.Name), &value)...)
			if !value.IsNull() && !value.IsUnknown() {
				found[kind.key(field.Name)] = strconv.FormatInt(value.ValueInt64(), 10)
			}
			continue
		}
		var value types.String
		diags.Append(from.GetAttribute(ctx, path.Root(field.Name), &value)...)
		if !value.IsNull() && !value.IsUnknown() {
			found[kind.key(field.Name)] = value.ValueString()
		}
	}
	return found
}

type setter interface {
	SetAttribute(context.Context, path.Path, any) diag.Diagnostics
}

// show puts what the system says into a state that has everything else already.
func (r *frameworkResource) show(ctx context.Context, id string, state setter, diags *diag.Diagnostics) bool {
	found, err := r.kind.Read(ctx, r.system, id)
	if err != nil {
		diags.AddError("it cannot be read", err.Error())
		return true
	}
	if found == nil {
		return false
	}
	diags.Append(state.SetAttribute(ctx, path.Root("id"), types.StringValue(id))...)
	for _, field := range r.fields {
		if !field.Unread {
			diags.Append(state.SetAttribute(ctx, path.Root(field.Name), valueOf(field, found[r.kind.key(field.Name)]))...)
		}
	}
	return true
}

func valueOf(field Field, text string) attr.Value {
	switch {
	case text == "" && field.Number:
		return types.Int64Null()
	case text == "":
		return types.StringNull()
	case field.Number:
		number, _ := strconv.ParseInt(text, 10, 64)
		return types.Int64Value(number)
	}
	return types.StringValue(text)
}

func (r *frameworkResource) Create(ctx context.Context, request resource.CreateRequest, answer *resource.CreateResponse) {
	id, err := r.kind.Create(ctx, r.system, values(ctx, request.Plan, r.fields, r.kind, &answer.Diagnostics))
	if id == "" {
		answer.Diagnostics.AddError("it cannot be made", err.Error())
		return
	}
	// Kept from here on, even if it was made in part only.
	answer.State.Raw = request.Plan.Raw
	if !r.show(ctx, id, &answer.State, &answer.Diagnostics) || err != nil {
		answer.Diagnostics.AddError("it was made in part", errorText(err))
	}
}

func errorText(err error) string {
	if err == nil {
		return "it is not there"
	}
	return err.Error()
}

func (r *frameworkResource) Read(ctx context.Context, request resource.ReadRequest, answer *resource.ReadResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if !r.show(ctx, id.ValueString(), &answer.State, &answer.Diagnostics) {
		answer.State.RemoveResource(ctx)
	}
}

func (r *frameworkResource) Update(ctx context.Context, request resource.UpdateRequest, answer *resource.UpdateResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.kind.Update(ctx, r.system, id.ValueString(), values(ctx, request.Plan, r.fields, r.kind, &answer.Diagnostics)); err != nil {
		answer.Diagnostics.AddError("it cannot be changed", err.Error())
		return
	}
	answer.State.Raw = request.Plan.Raw
	r.show(ctx, id.ValueString(), &answer.State, &answer.Diagnostics)
}

func (r *frameworkResource) Delete(ctx context.Context, request resource.DeleteRequest, answer *resource.DeleteResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.kind.Delete(ctx, r.system, id.ValueString()); err != nil {
		answer.Diagnostics.AddError("it cannot be removed", err.Error())
	}
}

func (r *frameworkResource) ImportState(ctx context.Context, request resource.ImportStateRequest, answer *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), request, answer)
}

// UpgradeState brings a state of the first version to the second, which renamed fields.
func (r *frameworkResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	if r.provider.Version != 2 {
		return nil
	}
	before := r.provider.fields(r.kind, 1)
	prior := frameworkSchema(before, 1)
	return map[int64]resource.StateUpgrader{1: {
		PriorSchema: &prior,
		StateUpgrader: func(ctx context.Context, request resource.UpgradeStateRequest, answer *resource.UpgradeStateResponse) {
			answer.State.Raw = tftypes.NewValue(answer.State.Schema.Type().TerraformType(ctx), nil)
			move(ctx, request.State, &answer.State, Field{Name: "id"}, Field{Name: "id"}, &answer.Diagnostics)
			for i, field := range r.fields {
				move(ctx, request.State, &answer.State, before[i], field, &answer.Diagnostics)
			}
		},
	}}
}

func move(ctx context.Context, from getter, to setter, old, next Field, diags *diag.Diagnostics) {
	if next.Number {
		var value types.Int64
		diags.Append(from.GetAttribute(ctx, path.Root(old.Name), &value)...)
		diags.Append(to.SetAttribute(ctx, path.Root(next.Name), value)...)
		return
	}
	var value types.String
	diags.Append(from.GetAttribute(ctx, path.Root(old.Name), &value)...)
	diags.Append(to.SetAttribute(ctx, path.Root(next.Name), value)...)
}
