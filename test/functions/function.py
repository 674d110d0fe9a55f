"""A function written with the Python kit. Its input says what it is to do; with --older it knows the older protocol alone."""

import argparse
import asyncio
import os

import grpc
from crossplane.function import resource, response, runtime
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1
from crossplane.function.proto.v1beta1 import run_function_pb2_grpc as grpcv1beta1


class Function(grpcv1.FunctionRunnerServiceServicer):
    async def RunFunction(self, req, _):
        rsp = response.to(req)
        do = resource.struct_to_dict(req.input).get("do", "")
        if do == "compose":
            size = req.observed.composite.resource["spec"]["size"]
            resource.update(rsp.desired.resources["part"], {"apiVersion": "example.org/v1", "kind": "Part", "spec": {"size": size}})
            rsp.desired.resources["part"].ready = fnv1.READY_TRUE
            response.normal(rsp, "composed")
        elif do == "require":
            response.require_resources(rsp, "config", "v1", "ConfigMap", match_name="settings", namespace="default")
            found = [item.resource["data"]["key"] for item in req.required_resources["config"].items] if "config" in req.required_resources else []
            response.set_output(rsp, {"found": found})
        elif do == "context":
            rsp.context["seen"] = req.context["given"] if "given" in req.context else "nothing"
            response.set_output(rsp, {"secret": req.credentials["login"].credential_data.data["password"].decode()})
        elif do == "conditions":
            rsp.conditions.append(fnv1.Condition(type="Checked", status=fnv1.STATUS_CONDITION_FALSE, reason="Looked", message="not yet", target=fnv1.TARGET_COMPOSITE_AND_CLAIM))
            response.warning(rsp, "look out")
        elif do == "fatal":
            response.fatal(rsp, "it cannot be done")
        elif do == "brief":
            rsp.meta.ttl.FromMilliseconds(1500)
        elif do == "large":
            response.set_output(rsp, {"text": "x" * (20 * 1024 * 1024)})
        elif do == "hang":
            await asyncio.sleep(3600)
        elif do == "crash":
            os._exit(3)
        return rsp


LIMITS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


async def older(address):
    server = grpc.aio.server(options=LIMITS)
    grpcv1beta1.add_FunctionRunnerServiceServicer_to_server(runtime.BetaFunctionRunner(wrapped=Function()), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--address")
    parser.add_argument("--tls-certs-dir")
    parser.add_argument("--older", action="store_true")
    args = parser.parse_args()
    if args.older:
        asyncio.run(older(args.address))
    else:
        runtime.serve(
            Function(),
            args.address,
            creds=runtime.load_credentials(args.tls_certs_dir),
            insecure=args.tls_certs_dir is None,
            options=LIMITS,
        )
