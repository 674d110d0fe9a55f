import { deepEqual, getOwn, isJsonObject, type KubeObject, type Schema } from '@weft/api'

/** What the server never lets anybody change, whatever the kind. */
const ALWAYS: readonly string[] = [
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.creationTimestamp',
]

const RULES = 'x-kubernetes-validations'
const NEVER_CHANGES = /^\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*$/

/** Paths of the fields that a schema lets nobody change once they are set: its rules say `self == oldSelf`. Those within lists are left to the server. */
export function immutableFields(schema: Schema | undefined, path = ''): readonly string[] {
  if (schema === undefined) return []
  const rules = getOwn(schema as unknown as Record<string, unknown>, RULES)
  if (path !== '' && Array.isArray(rules) && rules.some((rule) => isJsonObject(rule) && NEVER_CHANGES.test(String(rule['rule']))))
    return [path]
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => immutableFields(child, path === '' ? name : `${path}.${name}`))
}

/** Which of the fields that cannot be changed the text changes. A field that was not set may be set. */
export function changedImmutables(before: KubeObject, after: KubeObject, fields: readonly string[]): readonly string[] {
  return [...ALWAYS, ...fields].filter((path) => {
    const was = at(before, path)
    return was !== undefined && !deepEqual(was, at(after, path))
  })
}

const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), object)
