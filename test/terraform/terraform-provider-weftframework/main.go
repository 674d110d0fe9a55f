// A provider on the plugin framework for tests: protocol 6.
package main

import (
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"weft.dev/test/terraform/frameworkprovider"
	"weft.dev/test/terraform/recording"
)

func main() {
	server := func() tfprotov6.ProviderServer {
		return recording.Six(providerserver.NewProtocol6(frameworkprovider.New(true))())
	}
	if err := tf6server.Serve("weft.dev/test/weftframework", server); err != nil {
		log.Fatal(err)
	}
}
