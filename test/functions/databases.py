"""A function as platform teams write them with the Python kit: a server, a role and a database for each name, one after the other."""

import click
from crossplane.function import resource, response, runtime
from crossplane.function.proto.v1 import run_function_pb2 as fnv1
from crossplane.function.proto.v1 import run_function_pb2_grpc as grpcv1

SQL = "postgresql.sql.crossplane.io/v1alpha1"


class Function(grpcv1.FunctionRunnerServiceServicer):
    async def RunFunction(self, req, _):
        rsp = response.to(req)
        composite = resource.struct_to_dict(req.observed.composite.resource)
        name = composite["metadata"]["name"]
        config = {"providerConfigRef": {"name": name}}

        def secret(of):
            return {"writeConnectionSecretToRef": {"namespace": "crossplane-system", "name": f"{name}-{of}"}}

        def compose(key, body):
            resource.update(rsp.desired.resources[key], body)
            if is_ready(key):
                rsp.desired.resources[key].ready = fnv1.READY_TRUE

        def is_ready(key):
            return key in req.observed.resources and resource.get_condition(req.observed.resources[key].resource, "Ready").status == "True"

        compose("server", {"apiVersion": "postgresql.weft.dev/v1alpha1", "kind": "PostgreSQLServer", "spec": {"forProvider": {}, **secret("server")}})
        if is_ready("server"):
            reference = {"namespace": "crossplane-system", "name": f"{name}-server"}
            compose(
                "config",
                {
                    "apiVersion": SQL,
                    "kind": "ProviderConfig",
                    "metadata": {"name": name},
                    "spec": {"credentials": {"source": "PostgreSQLConnectionSecret", "connectionSecretRef": reference}},
                },
            )
            rsp.desired.resources["config"].ready = fnv1.READY_TRUE
            login = {"forProvider": {"privileges": {"login": True}}, **config, **secret("role")}
            compose("role", {"apiVersion": SQL, "kind": "Role", "metadata": {"name": name}, "spec": login})
            for each in composite["spec"]["databases"]:
                compose(
                    f"database-{each}",
                    {
                        "apiVersion": SQL,
                        "kind": "Database",
                        "metadata": {"annotations": {"crossplane.io/external-name": each}},
                        "spec": {"forProvider": {"ownerRef": {"name": name}}, **config},
                    },
                )
        if "role" in req.observed.resources:
            for key, value in req.observed.resources["role"].connection_details.items():
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
