package frameworkprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// marked fills in what the plan left to the provider: the mark of each part.
func marked(value attr.Value) attr.Value {
	switch v := value.(type) {
	case types.Object:
		if v.IsNull() || v.IsUnknown() {
			return v
		}
		attributes := v.Attributes()
		if mark, is := attributes["mark"].(types.String); is && mark.IsUnknown() {
			attributes["mark"] = types.StringValue("marked")
		}
		return types.ObjectValueMust(v.AttributeTypes(nil), attributes)
	case types.List:
		if v.IsNull() || v.IsUnknown() {
			return v
		}
		elements := v.Elements()
		for i, element := range elements {
			elements[i] = marked(element)
		}
		return types.ListValueMust(v.ElementType(nil), elements)
	case types.Map:
		if v.IsNull() || v.IsUnknown() {
			return v
		}
		elements := v.Elements()
		for key, element := range elements {
			elements[key] = marked(element)
		}
		return types.MapValueMust(v.ElementType(nil), elements)
	}
	return value
}
