package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"weft.dev/test/terraform/store"
)

// A thing without nested attributes, which protocol 5 can say too. It cannot be imported.
type plainResource struct{ store store.Store }

type plainModel struct {
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
}

func (*plainResource) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = "weftframework_plain"
}

func (*plainResource) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	answer.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":   schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"name": schema.StringAttribute{Required: true},
	}}
}

func (r *plainResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if request.ProviderData != nil {
		r.store = request.ProviderData.(store.Store)
	}
}

func (r *plainResource) Create(ctx context.Context, request resource.CreateRequest, answer *resource.CreateResponse) {
	var model plainModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	id, err := r.store.Create(model.Name.ValueString(), store.Thing{"name": model.Name.ValueString()})
	if err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
		return
	}
	model.ID = types.StringValue(id)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
}

func (r *plainResource) Read(ctx context.Context, request resource.ReadRequest, answer *resource.ReadResponse) {
	var model plainModel
	answer.Diagnostics.Append(request.State.Get(ctx, &model)...)
	found, err := r.store.Read(model.ID.ValueString())
	if err != nil {
		answer.Diagnostics.AddError("it cannot be read", err.Error())
		return
	}
	if found == nil {
		answer.State.RemoveResource(ctx)
		return
	}
	model.Name = types.StringValue(found["name"].(string))
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
}

func (r *plainResource) Update(ctx context.Context, request resource.UpdateRequest, answer *resource.UpdateResponse) {
	var model plainModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	if err := r.store.Update(model.ID.ValueString(), store.Thing{"name": model.Name.ValueString()}); err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
	}
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
}

func (r *plainResource) Delete(ctx context.Context, request resource.DeleteRequest, answer *resource.DeleteResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.store.Delete(id.ValueString()); err != nil {
		answer.Diagnostics.AddError("it cannot be deleted", err.Error())
	}
}
