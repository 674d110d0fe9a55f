package frameworkprovider

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"weft.dev/test/terraform/store"
)

// A thing that knows secrets of every sort, and a provider that tells them whenever it can.
type leakyResource struct{ store store.Store }

type leakyLogin struct {
	User   types.String `tfsdk:"user"`
	Secret types.String `tfsdk:"secret"`
}

type leakyModel struct {
	ID        types.String            `tfsdk:"id"`
	Name      types.String            `tfsdk:"name"`
	Mode      types.String            `tfsdk:"mode"`
	Password  types.String            `tfsdk:"password"`
	Written   types.String            `tfsdk:"written"`
	Tokens    map[string]types.String `tfsdk:"tokens"`
	Generated types.String            `tfsdk:"generated"`
	Login     []leakyLogin            `tfsdk:"login"`
}

func (*leakyResource) Metadata(_ context.Context, _ resource.MetadataRequest, answer *resource.MetadataResponse) {
	answer.TypeName = "weftframework_leaky"
}

func (*leakyResource) Schema(_ context.Context, _ resource.SchemaRequest, answer *resource.SchemaResponse) {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	answer.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":        schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"name":      schema.StringAttribute{Required: true},
			"mode":      schema.StringAttribute{Optional: true},
			"password":  schema.StringAttribute{Optional: true, Sensitive: true},
			"written":   schema.StringAttribute{Optional: true, Sensitive: true, WriteOnly: true},
			"tokens":    schema.MapAttribute{Optional: true, Sensitive: true, ElementType: types.StringType},
			"generated": schema.StringAttribute{Computed: true, Sensitive: true, PlanModifiers: kept},
		},
		Blocks: map[string]schema.Block{
			"login": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"user":   schema.StringAttribute{Optional: true},
				"secret": schema.StringAttribute{Optional: true, Sensitive: true},
			}}},
		},
	}
}

func (r *leakyResource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if request.ProviderData != nil {
		r.store = request.ProviderData.(store.Store)
	}
}

// secrets are all that it knows, in the forms in which programs quote them.
func (r *leakyResource) secrets(model leakyModel, written types.String) string {
	texts := []string{r.store.Key, model.Password.ValueString(), written.ValueString(), model.Generated.ValueString()}
	for _, token := range model.Tokens {
		texts = append(texts, token.ValueString())
	}
	for _, login := range model.Login {
		texts = append(texts, login.Secret.ValueString())
	}
	return fmt.Sprintf("%s %q %+v", texts, texts, texts)
}

func (r *leakyResource) tell(secrets string) {
	log.Printf("[WARN] it knows %s", secrets)
	fmt.Println("it knows", secrets)
	fmt.Fprintln(os.Stderr, "it knows", secrets)
}

func (r *leakyResource) Create(ctx context.Context, request resource.CreateRequest, answer *resource.CreateResponse) {
	var model, given leakyModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	answer.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if answer.Diagnostics.HasError() {
		return
	}
	known := model
	known.Generated = types.StringNull()
	secrets := r.secrets(known, given.Written)
	r.tell(secrets)
	switch model.Mode.ValueString() {
	case "fail":
		answer.Diagnostics.AddError("it cannot be made with "+secrets, "really: "+secrets)
		return
	case "panic":
		panic("it cannot be made with " + secrets)
	}
	id, err := r.store.Create(model.Name.ValueString(), store.Thing{"name": model.Name.ValueString()})
	if err != nil {
		answer.Diagnostics.AddError("it cannot be stored", err.Error())
		return
	}
	model.ID = types.StringValue(id)
	model.Generated = types.StringValue("generated-" + model.Name.ValueString() + "-pl4nted")
	answer.Diagnostics.AddWarning("made with "+r.secrets(model, given.Written), "")
	answer.Diagnostics.Append(answer.State.Set(ctx, model)...)
	if model.Mode.ValueString() == "partial" {
		answer.Diagnostics.AddError("it was made in part", r.secrets(model, given.Written))
	}
}

func (r *leakyResource) Read(ctx context.Context, request resource.ReadRequest, answer *resource.ReadResponse) {
	var model leakyModel
	answer.Diagnostics.Append(request.State.Get(ctx, &model)...)
	if answer.Diagnostics.HasError() {
		return
	}
	r.tell(r.secrets(model, types.StringNull()))
	found, err := r.store.Read(model.ID.ValueString())
	if err != nil || found == nil {
		answer.State.RemoveResource(ctx)
	}
}

func (r *leakyResource) Update(ctx context.Context, request resource.UpdateRequest, answer *resource.UpdateResponse) {
	var model, given leakyModel
	answer.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	answer.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	answer.Diagnostics.AddError("it cannot be changed", r.secrets(model, given.Written))
}

func (r *leakyResource) Delete(ctx context.Context, request resource.DeleteRequest, answer *resource.DeleteResponse) {
	var model leakyModel
	answer.Diagnostics.Append(request.State.Get(ctx, &model)...)
	if model.Mode.ValueString() == "stay" {
		answer.Diagnostics.AddError("it cannot be deleted", r.secrets(model, types.StringNull()))
		return
	}
	if err := r.store.Delete(model.ID.ValueString()); err != nil {
		answer.Diagnostics.AddError("it cannot be deleted", err.Error())
	}
}
