import { getOwn, hasReason, isJsonObject, type KubeObject, specOf } from '@weft/api'
import type { ServedKind } from '@weft/client'
import { IS_DEFAULT_CLASS } from '@weft/composition'
import type { Cluster } from '../../cluster/index.ts'
import type { ServerTable } from './table-source.ts'

/** Classes say by what is around them which claims may choose them, and which is taken when a claim names none: no column of the server's can show that. */
export async function withClassColumns(cluster: Cluster, kind: ServedKind, table: ServerTable): Promise<ServerTable> {
  if (!kind.categories.includes('class') || table.rows.length === 0) return table
  const claims = await claimKinds(cluster, kind)
  const [name = { name: 'Name', priority: 0 }, ...others] = table.columns
  return {
    ...table,
    columns: [name, { name: 'Default', priority: 0 }, ...(claims === undefined ? [] : [{ name: 'Claims', priority: 0 }]), ...others],
    rows: table.rows.map(({ cells: [first, ...rest], object }) => ({
      object,
      cells: [first, object.metadata.annotations?.[IS_DEFAULT_CLASS] === 'true', ...(claims === undefined ? [] : [claims]), ...rest],
    })),
  }
}

/** The kinds of claims that the kind of class serves; undefined where the reader may not know. */
async function claimKinds({ quiet }: Cluster, { group, kind }: ServedKind): Promise<string | undefined> {
  try {
    const { items } = await quiet.list({ group: 'weft.dev', kind: 'ResourceBindingDefinition' })
    const found = items
      .filter((definition) => isOf(definition, 'class', group, kind))
      .map((definition) => namedIn(definition, 'claim')?.kind ?? '')
    return [...new Set(found)].sort().join(',')
  } catch (error) {
    if (hasReason(error, 'Forbidden') || hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

function namedIn(definition: KubeObject, field: string): { readonly group?: string; readonly kind?: string } | undefined {
  const named = getOwn(specOf(definition), field)
  return isJsonObject(named) ? (named as { group?: string; kind?: string }) : undefined
}

const isOf = (definition: KubeObject, field: string, group: string, kind: string): boolean => {
  const named = namedIn(definition, field)
  return named?.group === group && named.kind === kind
}
