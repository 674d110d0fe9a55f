// Both test providers in one program: protocol 5, as providers do that move from one SDK to the other.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-mux/tf5muxserver"

	"weft.dev/test/terraform/frameworkprovider"
	"weft.dev/test/terraform/sdkprovider"
)

func main() {
	server, err := tf5muxserver.NewMuxServer(context.Background(),
		sdkprovider.New().GRPCProvider,
		providerserver.NewProtocol5(frameworkprovider.New(false)),
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := tf5server.Serve("weft.dev/test/weftmux", func() tfprotov5.ProviderServer { return server.ProviderServer() }); err != nil {
		log.Fatal(err)
	}
}
