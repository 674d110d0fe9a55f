// Package recording keeps the calls of a provider apart while they are recorded. The name of a recording has the millisecond in which it was made: of two
// calls within one, the first is lost.
package recording

import (
	"context"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

const apart = 2 * time.Millisecond

func isOn() bool { return os.Getenv("TF_LOG_SDK_PROTO_DATA_DIR") != "" }

// Five has each call of a provider on protocol 5 take long enough, where it is recorded.
func Five(server tfprotov5.ProviderServer) tfprotov5.ProviderServer {
	if !isOn() {
		return server
	}
	return five{server}
}

// Six is Five on protocol 6.
func Six(server tfprotov6.ProviderServer) tfprotov6.ProviderServer {
	if !isOn() {
		return server
	}
	return six{server}
}

type five struct{ tfprotov5.ProviderServer }

func (p five) ReadResource(ctx context.Context, request *tfprotov5.ReadResourceRequest) (*tfprotov5.ReadResourceResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.ReadResource(ctx, request)
}

func (p five) PlanResourceChange(ctx context.Context, request *tfprotov5.PlanResourceChangeRequest) (*tfprotov5.PlanResourceChangeResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.PlanResourceChange(ctx, request)
}

func (p five) ApplyResourceChange(ctx context.Context, request *tfprotov5.ApplyResourceChangeRequest) (*tfprotov5.ApplyResourceChangeResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.ApplyResourceChange(ctx, request)
}

type six struct{ tfprotov6.ProviderServer }

func (p six) ReadResource(ctx context.Context, request *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.ReadResource(ctx, request)
}

func (p six) PlanResourceChange(ctx context.Context, request *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.PlanResourceChange(ctx, request)
}

func (p six) ApplyResourceChange(ctx context.Context, request *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	time.Sleep(apart)
	return p.ProviderServer.ApplyResourceChange(ctx, request)
}
