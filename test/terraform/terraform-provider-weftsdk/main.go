// A provider on SDK v2 for tests: protocol 5.
package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"

	"weft.dev/test/terraform/sdkprovider"
)

func main() {
	plugin.Serve(&plugin.ServeOpts{ProviderFunc: sdkprovider.New, ProviderAddr: "weft.dev/test/weftsdk"})
}
