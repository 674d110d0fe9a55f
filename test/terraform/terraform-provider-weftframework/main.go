// A provider on the plugin framework for tests: protocol 6.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"weft.dev/test/terraform/frameworkprovider"
)

func main() {
	serve := providerserver.ServeOpts{Address: "weft.dev/test/weftframework", ProtocolVersion: 6}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return frameworkprovider.New(true) }, serve); err != nil {
		log.Fatal(err)
	}
}
