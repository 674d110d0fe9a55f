// A provider of real systems, in every way in which providers are served. Which way, and which version of the schemas, is written behind the program
// itself (`weftworld:sdk:2`): copies of one build are all the programs that tests need.
package main

import (
	"context"
	"log"
	"os"
	"regexp"

	frameworks "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"

	"weft.dev/test/terraform/world"
)

const address = "weft.dev/test/weftworld"

func main() {
	flavour, version := written()
	provider := world.Provider(version)
	ctx := context.Background()
	switch flavour {
	case "sdk":
		plugin.Serve(&plugin.ServeOpts{ProviderFunc: func() *schema.Provider { return provider.SDK(provider.Kinds...) }})
	case "framework5", "framework6":
		serve := providerserver.ServeOpts{Address: address, ProtocolVersion: int(flavour[len(flavour)-1] - '0')}
		must(providerserver.Serve(ctx, func() frameworks.Provider { return provider.Framework(provider.Kinds...) }, serve))
	case "mux":
		older, err := tf5to6server.UpgradeServer(ctx, provider.SDK(world.Role, world.File).GRPCProvider)
		must(err)
		newer := providerserver.NewProtocol6(provider.Framework(world.Record, world.Job))
		both, err := tf6muxserver.NewMuxServer(ctx, func() tfprotov6.ProviderServer { return older }, newer)
		must(err)
		must(tf6server.Serve(address, both.ProviderServer))
	default:
		log.Fatalf("nobody knows how to serve %q", flavour)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func written() (flavour string, version int) {
	program, err := os.Executable()
	must(err)
	file, err := os.Open(program)
	must(err)
	defer file.Close()
	info, err := file.Stat()
	must(err)
	tail := make([]byte, 64)
	_, err = file.ReadAt(tail, info.Size()-int64(len(tail)))
	must(err)
	found := regexp.MustCompile(`weftworld:(\w+):([12])\n$`).FindSubmatch(tail)
	if found == nil {
		return "framework6", 1
	}
	return string(found[1]), int(found[2][0] - '0')
}
