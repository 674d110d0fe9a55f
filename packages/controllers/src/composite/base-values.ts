import { childPath, field, type FieldError, type KubeObject } from '@weft/api'
import { type ComposedTemplate, fieldOf, parseFieldPath } from '@weft/composition'

/**
 * Values of a base that its kind does not take: no patch can mend them, unless one writes there. What is missing may come by a patch or a reference,
 * and rules that concern several fields are judged when the whole is made.
 */
export function baseValues(
  { base, origin, patches }: ComposedTemplate,
  validate: ((object: KubeObject) => readonly FieldError[]) | undefined,
): readonly FieldError[] {
  const errors = validate?.({ ...base, metadata: { ...base.metadata, name: 'check' } }) ?? []
  const written = patches.filter(({ to }) => to === 'composed').map(({ toFieldPath }) => toFieldPath.text)
  const isPatched = (path: string): boolean => written.some((each) => isWithin(path, each) || isWithin(each, path))
  return errors
    .filter(({ type, path }) => JUDGED.has(type) && path.startsWith('spec.') && !isPatched(path) && isOneValue(base, path, type))
    .map((error) => ({ ...error, path: childPath(childPath(origin, 'base'), error.path) }))
}

const JUDGED: ReadonlySet<FieldError['type']> = new Set([
  field.invalid('', '', '').type,
  field.typeInvalid('', '', '').type,
  field.notSupported('', '', []).type,
])

const isWithin = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`)

/** A rule about an object or list is about what is in it, which is not all there yet; its type is. */
function isOneValue(base: KubeObject, path: string, type: FieldError['type']): boolean {
  if (type === field.typeInvalid('', '', '').type) return true
  const parsed = parseFieldPath(path)
  const value = parsed.ok ? fieldOf(base, parsed.value) : undefined
  return value !== undefined && typeof value !== 'object'
}
