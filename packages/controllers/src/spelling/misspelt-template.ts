import { childPath, getOwn, meantInstead, type Schema } from '@weft/api'
import type { ComposedTemplate, FieldPath, PatchSide } from '@weft/composition'
import { type Misspelt, misspeltFields } from './misspelt-fields.ts'

/** The schemas on both sides of a template's patches, where they are known: of who asks, and of what is made. */
export type TemplateSides = { readonly [side in Exclude<PatchSide, 'environment'>]: Schema | undefined }

/** The same as `misspeltFields` for a template: fields of its base, and the paths that its patches read and write. */
export function misspeltTemplate({ base, patches, origin }: ComposedTemplate, sides: TemplateSides): readonly Misspelt[] {
  const at = (side: PatchSide, fieldPath: FieldPath, path: string): readonly Misspelt[] => {
    const meant = side === 'environment' ? undefined : meantField(sides[side], fieldPath)
    return meant === undefined ? [] : [{ path: `${path} ${fieldPath.text}`, meant }]
  }
  return [
    ...(sides.composed === undefined ? [] : misspeltFields(base, sides.composed, { path: childPath(origin, 'base') })),
    ...patches.flatMap(({ from, input, to, toFieldPath, origin: patch }) => [
      ...(input.kind === 'field' ? [input.path] : input.variables).flatMap((read) => at(from, read, childPath(patch, 'fromFieldPath'))),
      ...at(to, toFieldPath, childPath(patch, 'toFieldPath')),
    ]),
  ]
}

/** What the first field of the path was probably meant to be that the schema would keep, but does not know. */
function meantField(schema: Schema | undefined, { segments }: FieldPath): string | undefined {
  let here = schema
  for (const segment of segments) {
    if (here === undefined) return undefined
    if (typeof segment !== 'string') {
      here = here.items
      continue
    }
    const properties: Readonly<Record<string, Schema>> = here.properties ?? {}
    const next = getOwn(properties, segment)
    if (next === undefined)
      return here['x-kubernetes-preserve-unknown-fields'] === true ? meantInstead(segment, Object.keys(properties)) : undefined
    here = next
  }
  return undefined
}
