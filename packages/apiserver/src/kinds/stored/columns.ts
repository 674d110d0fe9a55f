import { formatLabelSelector, type KubeObject, type LabelSelector, requirementsOf } from '@weft/api'
import { type Column, column, formatLabels } from '../column.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'

export const countColumn = (name: string, description: string, ...path: readonly string[]): Column =>
  column(name, description, (object) => numberAt(object, ...path) ?? 0, { type: 'integer' })

/** A text, or what stands there where there is none. */
export const textColumn = (name: string, description: string, path: readonly string[], otherwise = ''): Column =>
  column(name, description, (object) => textAt(object, ...path) || otherwise)

export const flagColumn = (name: string, description: string, path: readonly string[], otherwise = false): Column =>
  column(name, description, (object) => (isSet(at(object, ...path)) ? at(object, ...path) === true : otherwise), { type: 'boolean' })

/** `2/3` */
export const readyOf = (...wanted: readonly string[]): Column =>
  column(
    'Ready',
    'Replicas that are ready, of those wanted.',
    (object) => `${numberAt(object, 'status', 'readyReplicas') ?? 0}/${numberAt(object, ...wanted) ?? 0}`,
  )

const wide = { priority: 1 }

/** Of the containers in a pod template, in wide tables. */
export const containerColumns = (...template: readonly string[]): readonly Column[] => [
  column('Containers', 'Names of the containers.', (object) => containers(object, template, 'name'), wide),
  column('Images', 'Images of the containers.', (object) => containers(object, template, 'image'), wide),
]

const containers = (object: KubeObject, template: readonly string[], name: string): string =>
  listAt(object, ...template, 'spec', 'containers')
    .map((container) => textAt(container, name))
    .join(',')

export const selectorColumn = (...path: readonly string[]): Column =>
  column('Selector', 'Labels of the pods behind it.', (object) => selectorText(at(object, ...path)), wide)

export const labelsColumn = (name: string, description: string, path: readonly string[], priority = 0): Column =>
  column(name, description, (object) => formatLabels(recordAt(object, ...path)), { priority })

/** As `kubectl` writes a selector; `<none>` where there is none. */
export const selectorText = (selector: unknown): string => (isSet(selector) ? queryOf(selector) || '<none>' : '<none>')

/** A LabelSelector as a query, keys in order. */
export function queryOf(selector: unknown): string {
  try {
    const requirements = requirementsOf(selector as LabelSelector)
    return formatLabelSelector(requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)))
  } catch {
    return '<invalid>'
  }
}

/** The first three, and how many more there are. */
export function few(all: readonly string[]): string {
  if (all.length === 0) return '<unset>'
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
}
