import type { KubeObject } from '@weft/api'
import { type KindNames, type ProviderType, renameKey } from './kind-names.ts'

/** On definitions: the type of the provider, `aws_vpc` or `data.aws_vpc`. */
const TYPE_ANNOTATION = 'terraform.weft.dev/type'
/** On definitions: which package knows the schema. */
const PACKAGE_ANNOTATION = 'terraform.weft.dev/package'

/** Whoever activates everything does not mean thousands of kinds. */
const ACTIVATION_ANNOTATION = 'weft.dev/activation'

export interface StubOptions {
  readonly group: string
  readonly type: ProviderType
  readonly names: KindNames
  /** Names the package that the schema is kept under. */
  readonly packageDigest: string
  readonly category: string
}

/** A definition without its schema, which is filled in when the kind is activated: thousands of them must cost next to nothing. */
export const stubDefinition = ({ group, type, names, packageDigest, category }: StubOptions): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: {
    name: `${names.plural}.${group}`,
    annotations: { [TYPE_ANNOTATION]: renameKey(type), [PACKAGE_ANNOTATION]: packageDigest, [ACTIVATION_ANNOTATION]: 'by-name' },
  },
  spec: { group, scope: 'Cluster', names: { ...names, categories: ['crossplane', 'managed', 'terraform', category] } },
})

/** The type that a stub stands for, and the package that knows it; undefined for definitions that are whole. */
export function stubOf({ metadata }: KubeObject): { readonly type: ProviderType; readonly packageDigest: string } | undefined {
  const { [TYPE_ANNOTATION]: type, [PACKAGE_ANNOTATION]: packageDigest } = metadata.annotations ?? {}
  if (type === undefined || packageDigest === undefined) return undefined
  const sort = type.startsWith('data.') ? 'data' : 'resource'
  return { type: { sort, name: sort === 'data' ? type.slice('data.'.length) : type }, packageDigest }
}
