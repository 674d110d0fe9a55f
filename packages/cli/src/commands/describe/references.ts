import { isJsonObject, type KubeObject } from '@weft/api'

export interface FoundReference {
  readonly path: string
  /** `Kind namespace/name`, as far as the reference says. */
  readonly target: string
}

/** Fields that name other objects: `xRef`, `xRefs`, and everything called a reference. */
const REFERENCE = /(Refs?|References?|ToRef)$/

/** What the object points to, in spec and status, in the order of the fields. */
export function findReferences(object: KubeObject): readonly FoundReference[] {
  const found: FoundReference[] = []
  walk(object['spec'], 'spec', found)
  walk(object['status'], 'status', found)
  return found
}

function walk(value: unknown, path: string, found: FoundReference[]): void {
  if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${path}[${index}]`, found))
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) {
      const here = `${path}.${key}`
      if (REFERENCE.test(key) && addReference(member, here, found)) continue
      walk(member, here, found)
    }
}

function addReference(value: unknown, path: string, found: FoundReference[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item, index) => addReference(item, `${path}[${index}]`, found))
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return false
  const { name, namespace, kind } = value
  const where = typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''
  found.push({ path, target: `${typeof kind === 'string' ? `${kind} ` : ''}${where}${name}` })
  return true
}
