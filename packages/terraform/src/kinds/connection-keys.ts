import { overlayOf, NO_OVERLAY, type TypeOverlay } from './overlay.ts'
import type { Field } from './shape.ts'

/** Where a connection secret gets a key from. */
export interface ConnectionKey {
  readonly key: string
  /** Names of the provider, from the outside in. Lists and maps are passed through: their indexes and keys become part of the key. */
  readonly path: readonly string[]
  readonly description: string
}

/** Not secret, and needed by whoever connects: in the secret, too, of what has a secret at all. */
const NEEDED_TO_CONNECT: ReadonlySet<string> = new Set([
  'endpoint',
  'host',
  'hostname',
  'address',
  'port',
  'username',
  'user',
  'database',
  'url',
])

/**
 * What the connection secret of a kind may hold. Each sensitive value has the key `attribute.<path>`; those at the top have their own name as
 * well, unless a data file gives them another.
 */
export function connectionKeys(fields: readonly Field[], overlay: TypeOverlay = overlayOf(NO_OVERLAY, '')): readonly ConnectionKey[] {
  const keys: ConnectionKey[] = []
  const walk = (within: readonly Field[], path: readonly string[]): void => {
    for (const field of within) {
      const here = [...path, field.name]
      if (field.output === 'connection') {
        keys.push({ key: `attribute.${here.join('.')}`, path: here, description: field.description })
        if (path.length === 0)
          keys.push({ key: overlay.connection.get(field.name) ?? field.name, path: here, description: field.description })
      } else if (field.output === 'status') walk(inside(field), here)
    }
  }
  walk(fields, [])
  const stated = fields.filter(({ name, output }) => output === 'status' && overlay.connection.has(name))
  const needed =
    keys.length === 0
      ? []
      : fields.filter(({ name, output, form }) => output === 'status' && NEEDED_TO_CONNECT.has(name) && SCALARS.has(form.kind))
  for (const field of new Set([...stated, ...needed]))
    keys.push({ key: overlay.connection.get(field.name) ?? field.name, path: [field.name], description: field.description })
  const seen = new Set<string>()
  return keys.filter(({ key }) => /^[-._A-Za-z0-9]+$/.test(key) && key.length <= 253 && !seen.has(key) && seen.add(key))
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'bool'])

function inside({ form }: Field): readonly Field[] {
  let at = form
  while (at.kind === 'list' || at.kind === 'set' || at.kind === 'map' || at.kind === 'only') at = at.element
  return at.kind === 'object' ? at.fields : []
}
