import type { KubeObject } from '@weft/api'
import type { Role } from '../../../kinds/kind-info.ts'
import { classOf } from '../../../world/class-of.ts'
import type { PrinterColumn } from '../../objects/printer-columns.ts'
import { type NodeState, STATE_ORDER, stateOf } from '../../../world/state.ts'
import { fullName } from '../../parts/object-link.tsx'
import type { ListView } from '../../routing/route.ts'

/** One row, with what it is found and sorted by. */
export interface Row {
  readonly object: KubeObject
  readonly name: string
  readonly state: NodeState | undefined
}

/** What the address of a list asks for, of all objects of a kind; there may be tens of thousands. */
export function listed(
  objects: Iterable<KubeObject>,
  role: Role | undefined,
  { text = '', state, namespace, label = '', from, sort = '' }: ListView,
  columns: readonly PrinterColumn[],
): readonly Row[] {
  const needle = text.trim().toLowerCase()
  const labels = labelsIn(label)
  const rows: Row[] = []
  for (const object of objects) {
    const row = { object, name: fullName(object), state: stateOf(object, role) }
    if (!row.name.toLowerCase().includes(needle) || (state !== undefined && row.state !== state)) continue
    if (namespace !== undefined && object.metadata.namespace !== namespace) continue
    if (from !== undefined && classOf(object)?.name !== from) continue
    if (hasLabels(object, labels)) rows.push(row)
  }
  const isDescending = sort.startsWith('-')
  const by = comparison(isDescending ? sort.slice(1) : sort, columns)
  return rows.sort((a, b) => (isDescending ? -by(a, b) : by(a, b)) || byName(a, b))
}

type Label = readonly [key: string, value: string | undefined]

const labelsIn = (text: string): readonly Label[] =>
  text.split(',').flatMap((part): Label[] => {
    const [key = '', ...value] = part.trim().split('=')
    return key.trim() === '' ? [] : [[key.trim(), value.length === 0 ? undefined : value.join('=').trim()]]
  })

const hasLabels = ({ metadata: { labels = {} } }: KubeObject, wanted: readonly Label[]): boolean =>
  wanted.every(([key, value]) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value))

/** What there is to choose from: the namespaces of all objects, and what they were made from. */
export function choicesOf(objects: Iterable<KubeObject>): { readonly namespaces: readonly string[]; readonly sources: readonly string[] } {
  const namespaces = new Set<string>()
  const sources = new Set<string>()
  for (const object of objects) {
    if (object.metadata.namespace !== undefined) namespaces.add(object.metadata.namespace)
    const source = classOf(object)
    if (source !== undefined) sources.add(source.name)
  }
  return { namespaces: [...namespaces].sort(), sources: [...sources].sort() }
}

type Compare = (a: Row, b: Row) => number

const byName: Compare = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Unless told, what needs attention comes first. */
function comparison(column: string, columns: readonly PrinterColumn[]): Compare {
  if (column === 'name') return byName
  if (column === 'created') return (a, b) => created(a).localeCompare(created(b))
  const own = columns.find(({ name }) => name.toLowerCase() === column)
  if (own !== undefined) return (a, b) => own.valueOf(a.object).localeCompare(own.valueOf(b.object), 'en', { numeric: true })
  return (a, b) => rank(a) - rank(b)
}

const created = ({ object }: Row): string => object.metadata.creationTimestamp ?? ''
const rank = ({ state }: Row): number => (state === undefined ? 0 : STATE_ORDER.indexOf(state))
