import { isJsonObject, type KubeObject } from '@weft/api'
import { roleOf } from '../../kinds/kind-info.ts'
import { find, type WorldSnapshot } from '../../world/world.ts'
import { bindingRows, compositionsFor } from '../../world/makes.ts'
import { classOf } from '../../world/class-of.ts'

/**
 * What rendering an intent needs besides it: its class or Composition, all other classes (an aggregate may ask them), definitions and
 * publications, and the binding table.
 */
export function renderContext(world: WorldSnapshot, intent: KubeObject, offer?: KubeObject): readonly KubeObject[] {
  const chosen = offer ?? sourceOf(world, intent)
  const others = [...world.collections.values()]
    .filter(({ kind }) => ['definition', 'composition', 'class'].includes(roleOf(kind) ?? ''))
    .flatMap(({ objects }) => [...objects.values()])
    .filter((object) => object !== chosen)
  return [...(chosen === undefined ? [] : [chosen]), ...others, ...bindingRows(world)]
}

/** The same for an example of what one offer makes: definitions that would force another Composition do not. */
export const exampleContext = (world: WorldSnapshot, intent: KubeObject, offer: KubeObject): readonly KubeObject[] =>
  renderContext(world, intent, offer).map((object) => {
    const spec = object['spec']
    if (!object.kind.endsWith('Definition') || !isJsonObject(spec) || spec['forceComposition'] === undefined) return object
    const { forceComposition: _, ...rest } = spec
    return { ...object, spec: rest }
  })

function sourceOf(world: WorldSnapshot, intent: KubeObject): KubeObject | undefined {
  const ref = classOf(intent)
  if (ref !== undefined) return find(world, ref) ?? undefined
  const group = intent.apiVersion.includes('/') ? intent.apiVersion.slice(0, intent.apiVersion.indexOf('/')) : ''
  const [only, ...more] = compositionsFor(world, { group, kind: intent.kind })
  return more.length === 0 ? only : undefined
}
