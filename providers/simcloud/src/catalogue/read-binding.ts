import type { GroupKind } from '@weft/api'
import type { DataNode } from './data-node.ts'
import type { Binding, FieldMapping, Reference } from './binding.ts'

export function readBinding(document: DataNode): Binding {
  const spec = document.get('spec').object(['claim', 'class', 'managed', 'type', 'fieldMappings'])
  const claim = readGroupKind(spec.get('claim'))
  const className = readGroupKind(spec.get('class'))
  const name = document.get('metadata').object().get('name')
  const wanted = `${claim.kind}.${className.kind}.${className.group}`.toLowerCase()
  if (name.string() !== wanted) name.fail(`must be ${wanted} (claim kind, class kind and group of the class)`)
  return {
    name: name.string(),
    claim,
    class: className,
    managed: { ...readGroupKind(spec.get('managed'), ['version']), version: spec.get('managed').get('version').string() },
    type: spec.get('type').oneOf(['Direct', 'Supporting']),
    fieldMappings: spec.get('fieldMappings').optionalList().map(readMapping),
  }
}

function readMapping(node: DataNode): FieldMapping {
  node.object(['fromFieldPath', 'toFieldPath', 'transforms', 'conflict'])
  return {
    fromFieldPath: node.get('fromFieldPath').string(),
    toFieldPath: node.get('toFieldPath').string(),
    transforms: node
      .get('transforms')
      .optionalList()
      .map((transform) => {
        const type = transform.object().get('type').oneOf(['map', 'math', 'string'])
        transform.get(type).object()
        return transform.json()
      }),
    conflict: node.get('conflict').oneOf(['KeepClass', 'UseClaim'], 'KeepClass'),
  }
}

export function readReference(document: DataNode): Reference {
  const spec = document.get('spec').object(['field', 'from', 'targets'])
  const targets = spec.get('targets')
  const kinds = targets.list().map((target) => readGroupKind(target))
  if (kinds.length === 0) targets.fail('must name at least one kind')
  const field = spec.get('field').string()
  const from = spec.get('from').present ? readGroupKind(spec.get('from')) : undefined
  const name = document.get('metadata').object().get('name')
  const wanted = (from === undefined ? field : `${field}.${from.kind}.${from.group}`).toLowerCase()
  if (name.string() !== wanted) name.fail(`must be ${wanted} (the field, and the kind and group it is in)`)
  return { name: wanted, field, ...(from && { from }), targets: kinds }
}

function readGroupKind(node: DataNode, more: readonly string[] = []): GroupKind {
  node.object(['group', 'kind', ...more])
  return { group: node.get('group').string(), kind: node.get('kind').string() }
}
