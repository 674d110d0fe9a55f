// Package frameworkprovider is a provider on the plugin framework.
package frameworkprovider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"weft.dev/test/terraform/store"
)

type thingProvider struct{ nested bool }

// New answers a provider; attributes with a nested type need protocol 6.
func New(nested bool) provider.Provider { return &thingProvider{nested} }

type config struct {
	Directory types.String `tfsdk:"directory"`
	APIKey    types.String `tfsdk:"api_key"`
}

func (*thingProvider) Metadata(_ context.Context, _ provider.MetadataRequest, answer *provider.MetadataResponse) {
	answer.TypeName = "weftframework"
}

func (*thingProvider) Schema(_ context.Context, _ provider.SchemaRequest, answer *provider.SchemaResponse) {
	answer.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"directory": schema.StringAttribute{Required: true},
		"api_key":   schema.StringAttribute{Optional: true, Sensitive: true},
	}}
}

func (*thingProvider) Configure(ctx context.Context, request provider.ConfigureRequest, answer *provider.ConfigureResponse) {
	var given config
	answer.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if strings.HasPrefix(given.APIKey.ValueString(), "wrong") {
		answer.Diagnostics.AddError("the key is not accepted", "use another one than "+given.APIKey.ValueString())
	}
	answer.ResourceData = store.Store{Directory: given.Directory.ValueString(), Key: given.APIKey.ValueString()}
}

func (p *thingProvider) Resources(context.Context) []func() resource.Resource {
	plain := []func() resource.Resource{
		func() resource.Resource { return &plainResource{} },
		func() resource.Resource { return &namedResource{} },
		func() resource.Resource { return &leakyResource{} },
	}
	if !p.nested {
		return plain
	}
	return append(plain, func() resource.Resource { return &thingResource{} })
}

func (*thingProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
