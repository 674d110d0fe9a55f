"""A watch, and the writes that it sees, with the official client. Prints each event."""
import threading

from kubernetes import client, config, watch

config.load_kube_config()
api = client.CoreV1Api()
begin = api.list_namespaced_config_map("default").metadata.resource_version


def write():
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "1"}}
    api.create_namespaced_config_map("default", body)
    api.patch_namespaced_config_map("a", "default", {"data": {"k": "2"}})
    api.delete_namespaced_config_map("a", "default")


threading.Thread(target=write).start()
stream = watch.Watch()
for event in stream.stream(api.list_namespaced_config_map, "default", resource_version=begin):
    name = event["object"].metadata.name
    if name != "a":
        continue
    print(event["type"], name, flush=True)
    if event["type"] == "DELETED":
        stream.stop()
