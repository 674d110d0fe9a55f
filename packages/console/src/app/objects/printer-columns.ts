import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { KindInfo } from '../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../../world/world.ts'

/** A column that the definition of a kind asks for. */
export interface PrinterColumn {
  readonly name: string
  readonly valueOf: (object: KubeObject) => string
}

const DEFINITIONS = 'CustomResourceDefinition.apiextensions.k8s.io'
/** What the list shows in its own way. */
const SHOWN_ANYWAY = new Set(['ready', 'synced', 'age', 'name'])
const MOST = 5

/** The columns of a kind, as far as its definition may be seen; those that only wide output has are left out. */
export function printerColumns(world: WorldSnapshot, { group, plural, version }: KindInfo): readonly PrinterColumn[] {
  const spec = world.collections.get(DEFINITIONS)?.objects.get(`/${plural}.${group}`)?.['spec']
  const versions = isJsonObject(spec) ? getOwn(spec, 'versions') : undefined
  const own = Array.isArray(versions) ? versions.find((each) => isJsonObject(each) && each['name'] === version) : undefined
  const columns = isJsonObject(own) ? getOwn(own, 'additionalPrinterColumns') : undefined
  return (Array.isArray(columns) ? columns : [])
    .flatMap((column: unknown) => {
      if (!isJsonObject(column)) return []
      const { name, jsonPath, priority = 0, type } = column
      if (typeof name !== 'string' || typeof jsonPath !== 'string' || priority !== 0 || type === 'date') return []
      return SHOWN_ANYWAY.has(name.toLowerCase()) ? [] : [{ name, valueOf: (object: KubeObject) => textAt(object, jsonPath) }]
    })
    .slice(0, MOST)
}

/** `.spec.size`, `.metadata.annotations.a\.b/c`, `.status.conditions[?(@.type=='Ready')].status`, `.items[0].name`. Empty where there is nothing, or for any other path. */
export function textAt(object: unknown, jsonPath: string): string {
  let at: unknown = object
  for (const step of stepsOf(jsonPath)) {
    if (typeof step === 'string') at = isJsonObject(at) ? getOwn(at, step) : undefined
    else if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined
    else at = Array.isArray(at) ? at.find((each) => isJsonObject(each) && String(getOwn(each, step.field)) === step.value) : undefined
  }
  if (at === undefined || at === null) return ''
  return typeof at === 'string' ? at : JSON.stringify(at)
}

type Step = string | number | { readonly field: string; readonly value: string }

const STEP = /\.((?:\\.|[^.[\]\\])+)|\[\?\(@\.(\w+)\s*==\s*['"]([^'"]*)['"]\)\]|\[(\d+)\]|\['([^']*)'\]/gy

function stepsOf(jsonPath: string): readonly Step[] {
  const path = jsonPath.replace(/^\{(.*)\}$/, '$1')
  const steps: Step[] = []
  let end = 0
  for (const match of path.matchAll(STEP)) {
    const [whole, name, field, value, index, quoted] = match
    end = match.index + whole.length
    if (name !== undefined) steps.push(name.replaceAll(/\\(.)/g, '$1'))
    else if (field !== undefined) steps.push({ field, value: value ?? '' })
    else steps.push(index === undefined ? (quoted ?? '') : Number(index))
  }
  // What is not understood shows nothing rather than something else.
  return end === path.length ? steps : ['\0']
}
