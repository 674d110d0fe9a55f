"""A function with the Python kit, for a provider that it knows the kinds of and nothing else: a server, and a database for each name."""

import click
from crossplane.function import resource, response, runtime
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1

DATABASES = "databases.example.org/v1beta1"


class Function(grpcv1.FunctionRunnerServiceServicer):
    async def RunFunction(self, req, _):
        rsp = response.to(req)
        composite = resource.struct_to_dict(req.observed.composite.resource)
        name = composite["metadata"]["name"]

        def secret(of):
            return {"namespace": "crossplane-system", "name": f"{name}-{of}"}

        def is_ready(key):
            return key in req.observed.resources and resource.get_condition(req.observed.resources[key].resource, "Ready").status == "True"

        def compose(key, body, ready=None):
            resource.update(rsp.desired.resources[key], body)
            if ready if ready is not None else is_ready(key):
                rsp.desired.resources[key].ready = fnv1.READY_TRUE

        server = {"forProvider": {}, "writeConnectionSecretToRef": secret("server")}
        compose("server", {"apiVersion": "postgresql.weft.dev/v1alpha1", "kind": "PostgreSQLServer", "spec": server})
        if is_ready("server"):
            config = {"credentials": {"source": "PostgreSQLConnectionSecret", "connectionSecretRef": secret("server")}}
            compose("config", {"apiVersion": DATABASES, "kind": "ProviderConfig", "metadata": {"name": name}, "spec": config}, ready=True)
            for each in composite["spec"]["databases"]:
                spec = {
                    "forProvider": {"connectionLimit": 7},
                    "providerConfigRef": {"name": name},
                    "writeConnectionSecretToRef": secret(each),
                }
                annotations = {"crossplane.io/external-name": each}
                compose(each, {"apiVersion": DATABASES, "kind": "Database", "metadata": {"annotations": annotations}, "spec": spec})
        first = composite["spec"]["databases"][0]
        if first in req.observed.resources:
            for key, value in req.observed.resources[first].connection_details.items():
                rsp.desired.composite.connection_details[key] = value
        return rsp


@click.command()
@click.option("--address", default="0.0.0.0:9443")
@click.option("--tls-certs-dir", envvar="TLS_SERVER_CERTS_DIR")
@click.option("--insecure", is_flag=True)
def main(address, tls_certs_dir, insecure):
    runtime.serve(Function(), address, creds=runtime.load_credentials(tls_certs_dir), insecure=insecure)


if __name__ == "__main__":
    main()
