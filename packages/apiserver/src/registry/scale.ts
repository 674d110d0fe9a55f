import { isJsonObject, type KubeObject, setOwn } from '@weft/api'
import { compileJsonPath } from '@weft/schema'
import type { ResourceType, ScaleMapping } from './resource-type.ts'

/** Where a type keeps its replicas, when `subresource` is its scale. */
export function scaleMapping(type: ResourceType, subresource: string): ScaleMapping | undefined {
  return subresource === 'scale' ? type.subresources.find(({ name }) => name === subresource)?.scale : undefined
}

/** `autoscaling/v1 Scale` of an object. */
export function scaleOf(object: KubeObject, mapping: ScaleMapping): KubeObject {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = mapping
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = labelSelectorPath === undefined ? mapping.selector?.(object) : valueAt(object, labelSelectorPath)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: { replicas: numberAt(object, specReplicasPath) },
    status: { replicas: numberAt(object, statusReplicasPath), ...(typeof selector === 'string' && selector !== '' && { selector }) },
  }
}

/** Throws an Error when its replicas are no count. */
export function checkedScale(scale: KubeObject): KubeObject {
  const replicas = replicasOf(scale)
  if (!Number.isSafeInteger(replicas) || replicas < 0) throw new Error('spec.replicas must be a non-negative integer')
  return scale
}

/** The object with the replicas of `scale`, which has been checked. */
export const withScale = (object: KubeObject, scale: KubeObject, mapping: ScaleMapping): KubeObject =>
  withReplicas(object, replicasOf(scale), mapping)

/** Scale paths are plain dotted fields below spec or status: checked when the definition was written. */
export const withReplicas = (object: KubeObject, replicas: number, { specReplicasPath }: ScaleMapping): KubeObject =>
  withPath(object, specReplicasPath.replace(/^\./, '').split('.'), replicas) as unknown as KubeObject

/** Does the object say how many replicas it wants? */
export const hasReplicas = (object: KubeObject, { specReplicasPath }: ScaleMapping): boolean =>
  valueAt(object, specReplicasPath) !== undefined

const replicasOf = (scale: KubeObject): number => (isJsonObject(scale['spec']) ? Number(scale['spec']['replicas'] ?? 0) : 0)

function withPath(target: unknown, [head = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  setOwn(copy, head, rest.length === 0 ? value : withPath(copy[head], rest, value))
  return copy
}

function numberAt(object: KubeObject, path: string): number {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : 0
}

function valueAt(object: KubeObject, source: string): unknown {
  const path = compileJsonPath(source)
  return 'error' in path ? undefined : path.first(object)
}
