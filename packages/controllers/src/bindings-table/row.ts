import {
  formatFieldErrors,
  formatGroupKind,
  getOwn,
  type GroupKind,
  type GroupVersionKind,
  isJsonObject,
  type KubeObject,
  specOf,
} from '@weft/api'
import { parsePatches, type Patch } from '@weft/composition'
import { isMachinery } from './well-known.ts'

/** One field of the claim that goes into what is made for it, perhaps transformed, unless the class decides about it (B26). */
export type FieldMapping = Patch

/**
 * A row of the binding table: claims of this kind may be satisfied, through classes of this kind, by managed resources of this kind.
 * Providers contribute rows as data (`ResourceBindingDefinition`). A relation without a row is never acted upon (S18).
 */
export interface BindingRow {
  readonly claim: GroupKind
  readonly class: GroupKind
  readonly managed: GroupVersionKind
  /** False: only as a member of an aggregate (A12). */
  readonly direct: boolean
  readonly fieldMappings: readonly FieldMapping[]
  /** The object it was read from, for messages. */
  readonly source: string
}

export type RowProblem = { readonly source: string; readonly message: string }

/** The row that a ResourceBindingDefinition stands for; what cannot be read is a problem of that object, never of the table. */
export function readRow(object: KubeObject): BindingRow | RowProblem {
  const source = object.metadata.name ?? ''
  const spec = specOf(object)
  const claim = kindOf(getOwn(spec, 'claim'))
  const classKind = kindOf(getOwn(spec, 'class'))
  const managed = kindOf(getOwn(spec, 'managed'))
  const version = managed && text(getOwn(spec, 'managed'), 'version')
  if (claim === undefined || classKind === undefined || managed === undefined || version === undefined)
    return { source, message: 'spec.claim, spec.class and spec.managed must each name a group and a kind, and spec.managed a version' }
  const machinery = [claim, classKind, managed].find(isMachinery)
  if (machinery !== undefined)
    return {
      source,
      message: `${formatGroupKind(machinery)} is a kind of Weft's own machinery: it can be neither claim, class nor managed`,
    }
  const mappings = readMappings(getOwn(spec, 'fieldMappings'))
  if (typeof mappings === 'string') return { source, message: mappings }
  return {
    claim,
    class: classKind,
    managed: { ...managed, version },
    direct: getOwn(spec, 'type') !== 'Supporting',
    fieldMappings: mappings,
    source,
  }
}

export const isProblem = (row: BindingRow | RowProblem): row is RowProblem => 'message' in row

function readMappings(raw: unknown): readonly FieldMapping[] | string {
  const patches = parsePatches(raw, 'spec.fieldMappings')
  return patches.ok ? patches.value : formatFieldErrors(patches.error)
}

function kindOf(value: unknown): GroupKind | undefined {
  const kind = text(value, 'kind')
  const group = isJsonObject(value) ? getOwn(value, 'group') : undefined
  return kind === undefined || typeof group !== 'string' ? undefined : { group, kind }
}

function text(value: unknown, name: string): string | undefined {
  const found = isJsonObject(value) ? getOwn(value, name) : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}
