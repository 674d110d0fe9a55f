import type { KubeObject } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'
import type { Identity, PackageType } from '@weft/xpkg'
import type { Conditioned } from '../definition/kinds.ts'

/** The kinds of the package manager, typed as far as its controllers read them. */
export const PACKAGE_GROUP = 'pkg.crossplane.io'
/** On revisions, and on everything that a package installed: the package's name. */
export const PACKAGE_LABEL = 'pkg.crossplane.io/package'
/** On everything that a package installed: Provider or Configuration. A provider and a configuration may have one name. */
export const PACKAGE_TYPE_LABEL = 'pkg.weft.dev/package-type'
/** On a package: keeps it until what it installed is gone. */
export const PACKAGE_FINALIZER = 'finalizer.pkg.crossplane.io'
/** On a package, "true": uninstalling it deletes the resources of its kinds. */
export const ALLOW_UNINSTALL = 'pkg.weft.dev/allow-uninstall'
/** On a Function: where a program on this machine answers for it, without TLS. For development. */
export const FUNCTION_ADDRESS = 'weft.dev/function-address'
/** The certificate that is shown to functions; Crossplane's name. */
export const FUNCTION_CLIENT_SECRET = 'crossplane-tls-client'
/** Who applies what packages hold. */
export const PACKAGE_FIELD_MANAGER = 'weft-packages'

interface SharedSpec {
  readonly packagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  readonly packagePullSecrets?: readonly { readonly name: string }[]
  readonly skipDependencyResolution?: boolean
  readonly ignoreCrossplaneConstraints?: boolean
  readonly commonLabels?: Readonly<Record<string, string>>
  readonly commonAnnotations?: Readonly<Record<string, string>>
  readonly runtimeConfigRef?: RuntimeConfigReference
}

/** An ImageConfig that had a say in how a package was fetched or is run. */
export interface AppliedImageConfig {
  readonly name: string
  readonly reason: 'RewriteImage' | 'SetImagePullSecret' | 'VerifyImage' | 'ConfigureRuntime'
}

export interface RuntimeConfigReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name: string
}

/** A Provider, a Configuration or a Function. */
export interface PackageObject extends Conditioned {
  readonly spec: SharedSpec & {
    readonly package: string
    readonly revisionActivationPolicy?: 'Automatic' | 'Manual'
    readonly revisionHistoryLimit?: number
  }
  readonly status?: Conditioned['status'] & { readonly currentRevision?: string; readonly currentIdentifier?: string }
}

export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid?: string
}

/** A ProviderRevision, a ConfigurationRevision or a FunctionRevision. */
export interface RevisionObject extends Conditioned {
  readonly spec: SharedSpec & {
    readonly image: string
    readonly digest?: string
    readonly desiredState: 'Active' | 'Inactive'
    readonly revision: number
  }
  readonly status?: Conditioned['status'] & {
    readonly resolvedImage?: string
    readonly appliedImageConfigRefs?: readonly AppliedImageConfig[]
    readonly objectRefs?: readonly ObjectReference[]
    readonly foundDependencies?: number
    readonly installedDependencies?: number
    readonly invalidDependencies?: number
    /** Of a function: where it is asked. */
    readonly endpoint?: string
    readonly capabilities?: readonly string[]
  }
}

export interface LockedPackage {
  /** Of the revision. */
  readonly name: string
  readonly apiVersion?: string
  readonly kind?: string
  readonly type?: PackageType
  readonly source: string
  readonly version: string
  readonly dependencies?: readonly LockedDependency[]
}

export interface LockedDependency {
  readonly package: string
  readonly apiVersion?: string
  readonly kind?: string
  readonly type?: PackageType
  readonly constraints: string
}

export interface Lock extends KubeObject {
  readonly packages?: readonly LockedPackage[]
}

/** As much of a DeploymentRuntimeConfig as is looked at; see runtimeSettings. */
export interface RuntimeConfig extends KubeObject {
  readonly spec?: RuntimeTemplates
}

/** What a cluster makes of it. */
export interface RuntimeTemplates {
  readonly deploymentTemplate?: TemplateOf & { readonly spec?: Readonly<Record<string, unknown>> }
  readonly serviceTemplate?: TemplateOf
  readonly serviceAccountTemplate?: TemplateOf
}

interface TemplateOf {
  readonly metadata?: {
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

export interface ImageConfig extends KubeObject {
  readonly spec: {
    readonly matchImages: readonly { readonly prefix: string }[]
    readonly registry?: { readonly authentication?: { readonly pullSecretRef?: { readonly name: string } } }
    readonly verification?: { readonly provider: string; readonly cosign?: { readonly authorities: readonly SigningAuthority[] } }
    readonly rewriteImage?: { readonly prefix: string }
    readonly runtime?: { readonly configRef?: RuntimeConfigReference }
  }
}

export interface SigningAuthority {
  readonly name: string
  readonly key?: { readonly secretRef: { readonly name: string; readonly key: string }; readonly hashAlgorithm?: string }
  readonly keyless?: { readonly identities?: readonly Identity[]; readonly insecureIgnoreSCT?: boolean }
  readonly attestations?: readonly { readonly name: string; readonly predicateType: string }[]
}

const kindOf = <T extends KubeObject>(kind: string, version = 'v1'): StaticKind<T> =>
  defineKind({ group: PACKAGE_GROUP, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: false })

export const providerKind: StaticKind<PackageObject> = kindOf('Provider')
export const configurationKind: StaticKind<PackageObject> = kindOf('Configuration')
export const providerRevisionKind: StaticKind<RevisionObject> = kindOf('ProviderRevision')
export const configurationRevisionKind: StaticKind<RevisionObject> = kindOf('ConfigurationRevision')
export const functionKind: StaticKind<PackageObject> = kindOf('Function')
export const functionRevisionKind: StaticKind<RevisionObject> = kindOf('FunctionRevision')
export const runtimeConfigKind: StaticKind<RuntimeConfig> = kindOf('DeploymentRuntimeConfig', 'v1beta1')
export const imageConfigKind: StaticKind<ImageConfig> = kindOf('ImageConfig', 'v1beta1')
export const lockKind: StaticKind<Lock> = kindOf('Lock', 'v1beta1')

/** One sort of packages: all have the same controllers. */
export interface PackageSort {
  readonly type: PackageType
  readonly kind: StaticKind<PackageObject>
  readonly revisionKind: StaticKind<RevisionObject>
}

export const PROVIDERS: PackageSort = { type: 'Provider', kind: providerKind, revisionKind: providerRevisionKind }
export const CONFIGURATIONS: PackageSort = { type: 'Configuration', kind: configurationKind, revisionKind: configurationRevisionKind }
export const FUNCTIONS: PackageSort = { type: 'Function', kind: functionKind, revisionKind: functionRevisionKind }
export const SORTS: readonly PackageSort[] = [PROVIDERS, CONFIGURATIONS, FUNCTIONS]

/** On a revision that another package manager made: it holds the revision until its code no longer runs. */
export const ELSEWHERE_FINALIZER = 'revision.pkg.crossplane.io'

/**
 * A revision that Crossplane's package manager made: ours have a digest from the beginning. What it installed stays as it is, and so does whatever
 * runs its code, until the package says something else.
 */
export const isMadeElsewhere = ({ spec }: RevisionObject): boolean => spec.digest === undefined

export const packageNameOf = ({ metadata }: KubeObject): string => metadata.labels?.[PACKAGE_LABEL] ?? ''
export const isActiveRevision = ({ spec, metadata }: RevisionObject): boolean =>
  spec.desiredState === 'Active' && metadata.deletionTimestamp === undefined
