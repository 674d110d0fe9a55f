import type { KubeObject } from '@weft/api'
import { EXTERNAL_NAME, formatFieldPath } from '@weft/composition'

/** What the machinery sets on everything that it makes, in words. */
export function machineryOrigins({
  labels = {},
  annotations = {},
  fields = {},
}: {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, string>>
}): Readonly<Record<string, string>> {
  const keyed = (
    map: 'labels' | 'annotations',
    keys: Readonly<Record<string, string>>,
    from: string,
  ): readonly (readonly [string, string])[] => Object.keys(keys).map((key) => [formatFieldPath(['metadata', map, key]), from])
  return {
    'metadata.name': 'Weft: a generated name',
    'metadata.namespace': 'Weft: the namespace of what it is for',
    'metadata.finalizers': 'Weft: it is cleaned up before it goes',
    'metadata.ownerReferences': 'Weft: what controls it',
    ...Object.fromEntries(keyed('labels', labels, 'Weft: what it is for')),
    ...Object.fromEntries(keyed('annotations', annotations, 'Weft: what made it')),
    ...fields,
  }
}

/** F15, A18: the annotation that an intent hands on, unless a patch wrote it. */
export const externalNameOrigin = (intent: KubeObject): Readonly<Record<string, string>> => ({
  [formatFieldPath(['metadata', 'annotations', EXTERNAL_NAME])]: `${intent.kind} metadata.annotations[${EXTERNAL_NAME}]`,
})
