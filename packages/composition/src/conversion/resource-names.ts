import { getOwn, isJsonObject, type JsonObject } from '@weft/api'

/** Names of templates that have none: the kind, counted where there are several. Pipelines know their resources by name, templates by their place. */
export function resourceNames(templates: readonly JsonObject[]): readonly string[] {
  const given = templates.map((template) => getOwn(template, 'name'))
  const kinds = templates.map((template) => {
    const base = getOwn(template, 'base')
    return String((isJsonObject(base) ? getOwn(base, 'kind') : undefined) ?? 'resource').toLowerCase()
  })
  const taken = new Set<string>()
  return templates.map((_, i) => {
    const own = given[i]
    const kind = kinds[i] as string
    const several = kinds.filter((other) => other === kind).length > 1
    const place = kinds.slice(0, i + 1).filter((other) => other === kind).length
    let name = typeof own === 'string' && own !== '' ? own : several ? `${kind}-${place}` : kind
    while (taken.has(name)) name = `${name}-${i + 1}`
    taken.add(name)
    return name
  })
}
