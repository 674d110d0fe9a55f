import type { KubeObject } from '@weft/api'

/** What a test says of a kind of composite resources that is defined for it. */
export interface DefinedComposite {
  readonly group: string
  readonly kind: string
  /** v1 unless given. */
  readonly version?: string
  /** The schema of its spec, or the properties of that alone. */
  readonly spec: object
  /** The properties of its status. */
  readonly status?: object
  /** Of the definition's own fields, others than those of a v2 definition in the cluster's scope. */
  readonly more?: object
  readonly api?: 'v1' | 'v2'
}

/** A CompositeResourceDefinition of one version. The plural is the kind in small letters with an s. */
export function compositeDefinition({ group, kind, version = 'v1', spec, status, more, api = 'v2' }: DefinedComposite): KubeObject {
  const plural = `${kind.toLowerCase()}s`
  const properties = {
    spec: 'properties' in spec ? { type: 'object', ...spec } : { type: 'object', properties: spec },
    ...(status !== undefined && { status: { type: 'object', properties: status } }),
  }
  return {
    apiVersion: `apiextensions.crossplane.io/${api}`,
    kind: 'CompositeResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...(api === 'v2' && { scope: 'Cluster' }),
      group,
      names: { kind, plural },
      versions: [{ name: version, served: true, referenceable: true, schema: { openAPIV3Schema: { type: 'object', properties } } }],
      ...more,
    },
  }
}

/** A Composition of functions. */
export const pipelineComposition = (
  name: string,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  ...pipeline: readonly object[]
): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name },
  spec: { compositeTypeRef: { apiVersion, kind }, mode: 'Pipeline', pipeline },
})

/** A step that patches and transforms, by the function that is built in. */
export const patchingStep = (step: string, ...resources: readonly object[]): object => ({
  step,
  functionRef: { name: 'function-patch-and-transform' },
  input: { apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', resources },
})

export const READY_STEP: object = { step: 'ready', functionRef: { name: 'function-auto-ready' } }

/** A Function of that name, from nowhere: one that is built in, or that answers at `address`. */
export const namedFunction = (name: string, address?: string): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: { name, ...(address !== undefined && { annotations: { 'weft.dev/function-address': address } }) },
  spec: { package: `registry.example.org/contrib/${name}:v1` },
})
