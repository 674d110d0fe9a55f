import { setOwn } from '@weft/api'
import { getString, getValue } from '../../go/fieldpath/read.ts'
import { GoError, must, wrapping } from '../../go/go-error.ts'
import { marshalJson } from '../../go/json.ts'
import { textBytes } from '../../go/text.ts'
import { type GoObject, isGoObject } from '../../go/value.ts'
import { type ConnectionDetail, isOptional, patchType, type SecretTarget } from './input.ts'
import { metadataText, textOf } from './object.ts'
import { copyOrCombine } from './patch.ts'
import { Target } from './target.ts'

type Details = Readonly<Record<string, string>>

const base64 = (text: string): string => Buffer.from(textBytes(text)).toString('base64')

/** What a composed resource adds to the composite's connection details, values in base64. What cannot be read yet is left out. */
export function extractDetails(object: GoObject, details: Details, wanted: readonly ConnectionDetail[] = []): Details {
  const found: Record<string, string> = {}
  for (const { name = '', type, value = '', fromConnectionSecretKey = '', fromFieldPath = '' } of wanted) {
    if (type === 'FromValue') setOwn(found, name, base64(value))
    else if (type === 'FromConnectionSecretKey') {
      if (Object.hasOwn(details, fromConnectionSecretKey)) setOwn(found, name, details[fromConnectionSecretKey])
    } else {
      const text = fieldText(object, fromFieldPath)
      if (text !== undefined) setOwn(found, name, base64(text))
    }
  }
  return found
}

function fieldText(object: GoObject, path: string): string | undefined {
  try {
    const value = getValue(object, path)
    return typeof value === 'string' ? getString(object, path) : must(marshalJson(value))
  } catch (error) {
    if (error instanceof GoError) return undefined
    throw error
  }
}

/** Composites that have `spec.crossplane` keep no connection details of their own. */
export function keepsDetails(composite: GoObject): boolean {
  try {
    getValue(composite, 'spec.crossplane')
    return false
  } catch (error) {
    if (error instanceof GoError) return true
    throw error
  }
}

/** The Secret that holds the details of a composite that cannot: its name by the composite's own wish, the input's, or made from its name. */
export function connectionSecret(composite: GoObject, details: Details, wish: SecretTarget | undefined): GoObject {
  const { name, namespace } = wrapping('cannot generate connection secret reference', () => secretReference(composite, wish))
  const metadata: Record<string, string> = {}
  if (name !== '') metadata['name'] = name
  if (namespace !== '') metadata['namespace'] = namespace
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    ...(Object.keys(metadata).length > 0 && { metadata }),
    data: details,
    type: 'connection.crossplane.io/v1alpha1',
  }
}

interface SecretReference {
  readonly name: string
  readonly namespace: string
}

function secretReference(composite: GoObject, wish: SecretTarget | undefined): SecretReference {
  const reference = baseReference(composite, wish)
  if (wish?.patches === undefined || wish.patches.length === 0) return reference
  const target = new Target({ apiVersion: 'v1', kind: 'SecretReference', ...reference })
  wrapping('cannot apply connection secret patches', () =>
    wish.patches?.forEach((patch, i) => {
      const type = patchType(patch)
      if (type !== 'FromCompositeFieldPath' && type !== 'CombineFromComposite')
        throw new GoError(`unsupported patch type ${type} at index ${i}`)
      try {
        copyOrCombine(patch, composite, target)
      } catch (error) {
        // An optional one forgives everything, not just what is missing.
        if (error instanceof GoError && type === 'FromCompositeFieldPath' && isOptional(patch)) return
        throw error instanceof GoError ? new GoError(`cannot apply patch type ${type} at index ${i}: ${error.message}`) : error
      }
    }),
  )
  const { name, namespace } = target.object
  return {
    name: typeof name === 'string' ? name : reference.name,
    namespace: typeof namespace === 'string' ? namespace : reference.namespace,
  }
}

function baseReference(composite: GoObject, wish: SecretTarget | undefined): SecretReference {
  const own = ownReference(composite)
  if (own !== undefined) return own
  const { name = '', namespace = '' } = wish ?? {}
  if (name !== '' || namespace !== '') return { name, namespace }
  return { name: `${metadataText(composite, 'name')}-connection`, namespace: metadataText(composite, 'namespace') }
}

/** `spec.writeConnectionSecretToRef`, if it can be read as one. */
function ownReference(composite: GoObject): SecretReference | undefined {
  let value
  try {
    value = getValue(composite, 'spec.writeConnectionSecretToRef')
  } catch (error) {
    if (error instanceof GoError) return undefined
    throw error
  }
  if (value === null) return { name: '', namespace: '' }
  if (!isGoObject(value) || ['name', 'namespace'].some((key) => typeof (value[key] ?? '') !== 'string')) return undefined
  return { name: textOf(value, 'name'), namespace: textOf(value, 'namespace') }
}
