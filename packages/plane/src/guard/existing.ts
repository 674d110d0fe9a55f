import type { GroupVersionKind, KubeObject } from '@weft/api'
import type { CompositeDefinition } from '@weft/controllers'

/** What the guard asks of the world; the embedded server knows at once, a webhook has to ask. */
export interface Existing {
  objects(kind: GroupVersionKind): readonly KubeObject[] | Promise<readonly KubeObject[]>
  definition(name: string): CompositeDefinition | undefined
}
