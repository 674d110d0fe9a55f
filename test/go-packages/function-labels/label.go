package main

// label answers with what the steps before want, each with one more label.
func label(request map[string]any) map[string]any {
	owner := inside(request, "observed", "composite", "resource", "metadata")["name"]
	desired := inside(request, "desired")
	for _, wanted := range inside(desired, "resources") {
		resource := inside(wanted.(map[string]any), "resource")
		metadata := inside(resource, "metadata")
		labels := inside(metadata, "labels")
		labels["example.org/belongs-to"] = owner
		metadata["labels"], resource["metadata"] = labels, metadata
	}
	return map[string]any{
		"meta":    map[string]any{"tag": inside(request, "meta")["tag"], "ttl": "60s"},
		"desired": desired,
	}
}

// inside is never nil: what is not there is empty.
func inside(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		object, _ = object[name].(map[string]any)
	}
	if object == nil {
		return map[string]any{}
	}
	return object
}
