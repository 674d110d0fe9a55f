// A provider on SDK v2 for tests: protocol 5.
package main

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"

	"weft.dev/test/terraform/recording"
	"weft.dev/test/terraform/sdkprovider"
)

func main() {
	server := func() tfprotov5.ProviderServer {
		return recording.Five(schema.NewGRPCProviderServer(sdkprovider.New()))
	}
	plugin.Serve(&plugin.ServeOpts{GRPCProviderFunc: server, ProviderAddr: "weft.dev/test/weftsdk"})
}
