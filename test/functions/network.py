"""A function as platform teams write them with the Python kit: a subnet for each zone, and what became of them in the status."""

import argparse

from crossplane.function import resource, response, runtime
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1


class Function(grpcv1.FunctionRunnerServiceServicer):
    async def RunFunction(self, req, _):
        rsp = response.to(req)
        spec = resource.struct_to_dict(req.observed.composite.resource)["spec"]
        if len(spec["zones"]) > 3:
            response.fatal(rsp, "a network has at most 3 zones")
            return rsp
        for i, zone in enumerate(spec["zones"]):
            name = f"subnet-{zone}"
            resource.update(
                rsp.desired.resources[name],
                {
                    "apiVersion": "nop.crossplane.io/v1alpha1",
                    "kind": "NopResource",
                    "spec": {"forProvider": {"fields": {"zone": zone, "cidr": f"10.0.{i}.0/24"}}},
                },
            )
            if name in req.observed.resources and resource.get_condition(req.observed.resources[name].resource, "Ready").status == "True":
                rsp.desired.resources[name].ready = fnv1.READY_TRUE
        names = [req.observed.resources[name].resource["metadata"]["name"] for name in sorted(req.observed.resources)]
        resource.update(rsp.desired.composite, {"status": {"subnets": names}})
        response.normal(rsp, f"{len(spec['zones'])} zones")
        return rsp


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--address")
    runtime.serve(Function(), parser.parse_args().address, creds=runtime.load_credentials(None), insecure=True)
