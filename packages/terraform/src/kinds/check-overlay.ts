import type { Attribute, Block, ProviderSchema } from '../schema/schema.ts'
import type { ProviderOverlay, TypeOverlay } from './overlay.ts'

/**
 * What a data file names and the provider does not have, in words: a name that is misspelt would do nothing, and a field that should be secret would
 * not be. Empty: nothing is wrong.
 */
export function checkOverlay({ types }: ProviderOverlay, { resources, dataSources }: ProviderSchema): readonly string[] {
  return [...types].flatMap(([name, overlay]) => {
    const schema = name.startsWith('data.') ? dataSources.get(name.slice('data.'.length)) : resources.get(name)
    if (schema === undefined) return [`types.${name}: the provider has no such type`]
    return attributesIn(overlay)
      .filter(([, attribute]) => !has(schema.block, attribute.split('.')))
      .map(([where, attribute]) => `types.${name}.${where}: ${name} has no attribute ${attribute}`)
  })
}

function attributesIn({
  sensitive,
  references,
  connection,
  importFormat = '',
}: TypeOverlay): readonly (readonly [where: string, string])[] {
  const named = (where: string, attributes: Iterable<string>) => [...attributes].map((attribute) => [where, attribute] as const)
  return [
    ...named('sensitive', sensitive),
    ...named('references', references.keys()),
    ...named('connection', connection.keys()),
    ...named(
      'importFormat',
      [...importFormat.matchAll(/\{([^{}]+)\}/g)].map(([, attribute = '']) => attribute),
    ),
  ]
}

/** Whatever is below an attribute that has a type of its own is for the provider to say. */
function has({ attributes, blocks }: Block, [name = '', ...rest]: readonly string[]): boolean {
  const attribute: Attribute | undefined = attributes.get(name)
  if (attribute !== undefined) return true
  const nested = blocks.get(name)
  return nested !== undefined && (rest.length === 0 || has(nested.block, rest))
}
