import { isJsonObject, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'

/** How the service accounts of provider processes begin, in Weft's own namespace. */
export const PROVIDER_ACCOUNT = 'weft-provider-'

/** Is it the account of a provider's process? */
export const isProviderAccount = (username: string): boolean =>
  username.startsWith(`system:serviceaccount:${SYSTEM_NAMESPACE}:${PROVIDER_ACCOUNT}`)

export interface NamedSecret {
  readonly namespace: string
  readonly name: string
  readonly write: boolean
}

/** Every secret that an object's spec refers to: those that the provider of its kind is given. */
export function namedSecrets(object: KubeObject): readonly NamedSecret[] {
  const found: NamedSecret[] = []
  const home = object.metadata.namespace ?? SYSTEM_NAMESPACE
  const visit = (value: unknown, field: string, depth: number): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, field, depth)
    if (!isJsonObject(value)) return
    const { name, namespace } = value
    if (/secret(to)?refs?$/i.test(field) && typeof name === 'string' && name !== '')
      found.push({
        namespace: typeof namespace === 'string' && namespace !== '' ? namespace : home,
        name,
        // Anywhere deeper it is a parameter of the external resource, and only ever read.
        write: field === 'writeConnectionSecretToRef' && depth === 1,
      })
    for (const [key, inner] of Object.entries(value)) visit(inner, key, depth + 1)
  }
  visit(object['spec'], 'spec', 0)
  return found
}

/** Secrets that a write names, or names for another purpose, and that the object before it did not. */
export function newlyNamedSecrets(object: KubeObject, before: KubeObject | undefined): readonly NamedSecret[] {
  const textOf = ({ namespace, name, write }: NamedSecret): string => `${namespace}/${name} ${write ? 'written' : 'read'}`
  const known = new Set((before === undefined ? [] : namedSecrets(before)).map(textOf))
  return namedSecrets(object).filter((each) => !known.has(textOf(each)))
}
