import { getOwn, isJsonObject, stringifyJson } from '@weft/api'
import { JsonPathError, type TemplateNode, type TemplatePath } from './parse.ts'

/** The text that a template makes of a value. Fields that are not there are no mistake. */
export const renderTemplate = (nodes: readonly TemplateNode[], root: unknown): string => render(nodes, { root, current: root })

/** The values that the only path of a template finds. */
export const findValues = (nodes: readonly TemplateNode[], root: unknown): readonly unknown[] =>
  nodes.flatMap((node) => (node.type === 'path' ? evaluate(node.path, { root, current: root }) : []))

interface Scope {
  readonly root: unknown
  /** What a loop is at. */
  readonly current: unknown
}

function render(nodes: readonly TemplateNode[], scope: Scope): string {
  return nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
          return node.text
        case 'path':
          return evaluate(node.path, scope).map(formatValue).join(' ')
        case 'range':
          return evaluate(node.path, scope)
            .map((current) => render(node.body, { ...scope, current }))
            .join('')
      }
    })
    .join('')
}

function evaluate({ from, path }: TemplatePath, scope: Scope): readonly unknown[] {
  const { values, error } = path.find(from === 'root' ? scope.root : scope.current, { lenient: true })
  if (error !== undefined) throw new JsonPathError(error)
  return values
}

/** Text as it is; what has parts, as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return '<nil>'
  return typeof value === 'object' ? stringifyJson(sortKeys(value)) : String(value)
}

/** Keys in alphabetical order, as every Kubernetes tool prints them. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(getOwn(value, key))]),
  )
}
