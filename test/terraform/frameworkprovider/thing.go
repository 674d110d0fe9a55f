package frameworkprovider

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"weft.dev/test/terraform/store"
)

// A thing with every sort of attribute and block that the framework has.
type thingResource struct{ store store.Store }

type part struct {
	Label types.String `tfsdk:"label" json:"-"`
	Level types.Int64  `tfsdk:"level" json:"-"`
	Mark  types.String `tfsdk:"mark" json:"-"`
}

type thingModel struct {
	ID              types.String  `tfsdk:"id"`
	Name            types.String  `tfsdk:"name"`
	Size            types.Int64   `tfsdk:"size"`
	Number          types.Number  `tfsdk:"number"`
	Note            types.String  `tfsdk:"note"`
	Mode            types.String  `tfsdk:"mode"`
	Password        types.String  `tfsdk:"password"`
	PasswordVersion types.Int64   `tfsdk:"password_version"`
	Token           types.String  `tfsdk:"token"`
	Tags            types.Map     `tfsdk:"tags"`
	Members         types.Set     `tfsdk:"members"`
	Anything        types.Dynamic `tfsdk:"anything"`
	One             types.Object  `tfsdk:"one"`
	Many            types.List    `tfsdk:"many"`
	Any             types.Set     `tfsdk:"any"`
	By              types.Map     `tfsdk:"by"`
	Block           []part        `tfsdk:"block"`
}

var parts = map[string]schema.Attribute{
	"label": schema.StringAttribute{Optional: true},
	"level": schema.Int64Attribute{Optional: true},
	"mark":  schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
}

func (*thingResource) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = "weftframework_thing"
	answer.ResourceBehavior.MutableIdentity = true
}

func (*thingResource) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	answer.Schema = schema.Schema{
		Version: 2,
		Attributes: map[string]schema.Attribute{
			"id":               schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
			"name":             schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
			"size":             schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(5)},
			"number":           schema.NumberAttribute{Optional: true},
			"note":             schema.StringAttribute{Optional: true, Computed: true, DeprecationMessage: "nobody reads notes"},
			"mode":             schema.StringAttribute{Optional: true},
			"password":         schema.StringAttribute{Optional: true, Sensitive: true, WriteOnly: true},
			"password_version": schema.Int64Attribute{Optional: true},
			"token":            schema.StringAttribute{Computed: true, Sensitive: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
			"tags":             schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"members":          schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"anything":         schema.DynamicAttribute{Optional: true},
			"one":              schema.SingleNestedAttribute{Optional: true, Attributes: parts},
			"many":             schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: parts}},
			"any":              schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: plainParts}},
			"by":               schema.MapNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: parts}},
		},
		Blocks: map[string]schema.Block{
			"block": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: plainParts}},
		},
	}
}

var plainParts = map[string]schema.Attribute{
	"label": schema.StringAttribute{Optional: true},
	"level": schema.Int64Attribute{Optional: true},
	"mark":  schema.StringAttribute{Optional: true},
}

func (*thingResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, answer *resource.IdentitySchemaResponse) {
	answer.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{"id": identityschema.StringAttribute{RequiredForImport: true}},
	}
}

type identity struct {
	ID types.String `tfsdk:"id"`
}

func (r *thingResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if request.ProviderData != nil {
		r.store = request.ProviderData.(store.Store)
	}
}

// The state itself is what is stored: everything comes back as it was given.
func (r *thingResource) Create(ctx context.Context, request resource.CreateRequest, answer *resource.CreateResponse) {
	var model, given thingModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	answer.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if answer.Diagnostics.HasError() {
		return
	}
	mode := model.Mode.ValueString()
	if err := store.Misbehave(ctx, mode); err != nil {
		answer.Diagnostics.AddError("it did not work", err.Error())
		return
	}
	id, err := r.store.Create(model.Name.ValueString(), r.content(model, given.Password))
	if err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
		return
	}
	model.ID = types.StringValue(id)
	r.complete(ctx, &model)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, identity{model.ID})...)
	answer.Diagnostics.Append(answer.Private.SetKey(ctx, "made", []byte(`{"by":"create"}`))...)
	if mode == "big" {
		answer.Diagnostics.Append(answer.Private.SetKey(ctx, "big", []byte(`"`+strings.Repeat("big", 400_000)+`"`))...)
	}
	if mode == "partial" {
		answer.Diagnostics.AddError("it did not work", "this thing was only made in part")
	}
}

func (r *thingResource) complete(_ context.Context, model *thingModel) {
	model.Token = types.StringValue("token-of-" + model.Name.ValueString())
	if model.Note.IsUnknown() {
		model.Note = types.StringValue("noted")
	}
	model.One, model.Many, model.By = marked(model.One).(types.Object), marked(model.Many).(types.List), marked(model.By).(types.Map)
}

func (r *thingResource) content(model thingModel, password types.String) store.Thing {
	note := model.Note.ValueString()
	if model.Note.IsUnknown() {
		note = "noted"
	}
	thing := store.Thing{"name": model.Name.ValueString(), "size": model.Size.ValueInt64(), "note": note}
	if number := model.Number.ValueBigFloat(); number != nil {
		thing["number"] = json.Number(number.Text('f', -1))
	}
	if !password.IsNull() {
		thing["password"] = password.ValueString()
	}
	return thing
}

func (r *thingResource) Read(ctx context.Context, request resource.ReadRequest, answer *resource.ReadResponse) {
	var model thingModel
	answer.Diagnostics.Append(request.State.Get(ctx, &model)...)
	if answer.Diagnostics.HasError() {
		return
	}
	found, err := r.store.Read(model.ID.ValueString())
	if err != nil {
		answer.Diagnostics.AddError("it cannot be read", err.Error())
		return
	}
	if found == nil {
		answer.State.RemoveResource(ctx)
		return
	}
	imported, diags := request.Private.GetKey(ctx, "imported")
	answer.Diagnostics.Append(diags...)
	made, diags := request.Private.GetKey(ctx, "made")
	answer.Diagnostics.Append(diags...)
	if imported == nil && made == nil {
		answer.Diagnostics.AddError("private state was lost", "this thing is read without what create or import kept for it")
		return
	}
	model.Name = types.StringValue(found["name"].(string))
	if size, is := found["size"].(json.Number); is {
		value, _ := size.Int64()
		model.Size = types.Int64Value(value)
	}
	if note, is := found["note"].(string); is {
		model.Note = types.StringValue(note)
	}
	if number, is := found["number"].(json.Number); is {
		value, _, _ := big.ParseFloat(number.String(), 10, 512, big.ToNearestEven)
		model.Number = types.NumberValue(value)
	} else {
		model.Number = types.NumberNull()
	}
	model.Token = types.StringValue("token-of-" + model.Name.ValueString())
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, identity{model.ID})...)
}

func (r *thingResource) Update(ctx context.Context, request resource.UpdateRequest, answer *resource.UpdateResponse) {
	var model, given thingModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	answer.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if answer.Diagnostics.HasError() {
		return
	}
	if model.Mode.ValueString() == "refuse-update" {
		answer.Diagnostics.AddError("it did not work", "this thing cannot be changed")
		return
	}
	if err := r.store.Update(model.ID.ValueString(), r.content(model, given.Password)); err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
		return
	}
	r.complete(ctx, &model)
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	answer.Diagnostics.Append(answer.Identity.Set(ctx, identity{model.ID})...)
}

func (r *thingResource) Delete(ctx context.Context, request resource.DeleteRequest, answer *resource.DeleteResponse) {
	var id types.String
	answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.store.Delete(id.ValueString()); err != nil {
		answer.Diagnostics.AddError("it cannot be deleted", err.Error())
	}
}

func (r *thingResource) ImportState(ctx context.Context, request resource.ImportStateRequest, answer *resource.ImportStateResponse) {
	answer.Diagnostics.Append(answer.Private.SetKey(ctx, "imported", []byte(`true`))...)
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), request, answer)
}

func (r *thingResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	old := schema.Schema{Attributes: map[string]schema.Attribute{
		"id":    schema.StringAttribute{Computed: true},
		"title": schema.StringAttribute{Required: true},
	}}
	return map[int64]resource.StateUpgrader{1: {
		PriorSchema: &old,
		StateUpgrader: func(ctx context.Context, request resource.UpgradeStateRequest, answer *resource.UpgradeStateResponse) {
			var id, title types.String
			answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
			answer.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("title"), &title)...)
			element := types.ObjectType{AttrTypes: map[string]attr.Type{"label": types.StringType, "level": types.Int64Type, "mark": types.StringType}}
			answer.Diagnostics.Append(answer.State.Set(ctx, thingModel{
				ID: id, Name: title, Tags: types.MapNull(types.StringType), Members: types.SetNull(types.StringType), Anything: types.DynamicNull(),
				One: types.ObjectNull(element.AttrTypes), Many: types.ListNull(element), Any: types.SetNull(element), By: types.MapNull(element),
			})...)
			// Read takes what an upgraded thing lacks from the store.
		},
	}}
}
