package frameworkprovider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"weft.dev/test/terraform/store"
)

// A thing whose name is chosen by whoever makes it, and which is found by that name: making it twice writes it twice.
type namedResource struct{ store store.Store }

type namedModel struct {
	ID      types.String `tfsdk:"id"`
	Name    types.String `tfsdk:"name"`
	Mode    types.String `tfsdk:"mode"`
	Promise types.Bool   `tfsdk:"promise"`
}

type namedIdentity struct {
	Name types.String `tfsdk:"name"`
}

func (*namedResource) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = "weftframework_named"
}

func (*namedResource) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	answer.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":      schema.StringAttribute{Computed: true, PlanModifiers: kept},
		"name":    schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
		"mode":    schema.StringAttribute{Optional: true},
		"promise": schema.BoolAttribute{Optional: true},
	}}
}

func (*namedResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, answer *resource.IdentitySchemaResponse) {
	answer.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{"name": identityschema.StringAttribute{RequiredForImport: true}},
	}
}

func (r *namedResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if request.ProviderData != nil {
		r.store = request.ProviderData.(store.Store)
	}
}

// Says the identity in advance, where that is promised.
func (*namedResource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, answer *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() || answer.Identity == nil {
		return
	}
	var model namedModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	if model.Promise.ValueBool() {
		answer.Diagnostics.Append(answer.Identity.Set(ctx, namedIdentity{model.Name})...)
	}
}

func (r *namedResource) Create(ctx context.Context, request resource.CreateRequest, answer *resource.CreateResponse) {
	var model namedModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	mode := model.Mode.ValueString()
	if mode == "die-before" {
		os.Exit(1)
	}
	id := model.Name.ValueString() + "-0"
	if err := r.store.Put(id, store.Thing{"name": model.Name.ValueString()}); err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
		return
	}
	if mode == "die-after" {
		os.Exit(1)
	}
	model.ID = types.StringValue(id)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, namedIdentity{model.Name})...)
}

func (r *namedResource) Read(ctx context.Context, request resource.ReadRequest, answer *resource.ReadResponse) {
	var model namedModel
	answer.Diagnostics.Append(request.State.Get(ctx, &model)...)
	id := model.Name.ValueString() + "-0"
	found, err := r.store.Read(id)
	if err != nil {
		answer.Diagnostics.AddError("it cannot be read", err.Error())
		return
	}
	if found == nil {
		answer.State.RemoveResource(ctx)
		return
	}
	model.ID = types.StringValue(id)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, namedIdentity{model.Name})...)
}

func (r *namedResource) Update(ctx context.Context, request resource.UpdateRequest, answer *resource.UpdateResponse) {
	var model namedModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, namedIdentity{model.Name})...)
}

func (r *namedResource) Delete(ctx context.Context, request resource.DeleteRequest, answer *resource.DeleteResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.store.Delete(id.ValueString()); err != nil {
		answer.Diagnostics.AddError("it cannot be deleted", err.Error())
	}
}

func (r *namedResource) ImportState(ctx context.Context, request resource.ImportStateRequest, answer *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("name"), path.Root("name"), request, answer)
}
