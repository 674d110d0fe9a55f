package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/bufbuild/protocompile"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// protocol is the .proto file of functions in base 64, given by the linker: the one that Weft keeps, and no copy of it.
var protocol string

const file = "function_runner.proto"

type messages struct {
	name            protoreflect.FullName
	request, answer protoreflect.MessageDescriptor
}

func compileProtocol(ctx context.Context) (*messages, error) {
	text, err := base64.StdEncoding.DecodeString(protocol)
	if err != nil {
		return nil, err
	}
	sources := &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{file: string(text)})}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(sources)}
	files, err := compiler.Compile(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the protocol: %w", err)
	}
	service := files.FindFileByPath(file).Services().ByName("FunctionRunnerService")
	run := service.Methods().ByName("RunFunction")
	return &messages{name: service.FullName(), request: run.Input(), answer: run.Output()}, nil
}

// service answers requests with what act makes of them; both as JSON has them.
func (m *messages) service(act func(map[string]any) map[string]any) *grpc.ServiceDesc {
	run := func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		request, answer := dynamicpb.NewMessage(m.request), dynamicpb.NewMessage(m.answer)
		if err := decode(request); err != nil {
			return nil, err
		}
		asked, err := protojson.Marshal(request)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := json.Unmarshal(asked, &object); err != nil {
			return nil, err
		}
		answered, err := json.Marshal(act(object))
		if err != nil {
			return nil, err
		}
		return answer, protojson.Unmarshal(answered, answer)
	}
	return &grpc.ServiceDesc{
		ServiceName: string(m.name),
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "RunFunction", Handler: run}},
	}
}
