import {
  formatGroupKind,
  type GroupKind,
  type GroupVersionKind,
  gvkOf,
  isJsonObject,
  type KubeObject,
  type Schema,
  specOf,
  weftKinds,
} from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind, isOfKind } from '@weft/client'
import {
  APPLICATION,
  checkTemplate,
  type CompositeDefinition,
  type CompositeType,
  INFRASTRUCTURE,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
  renderCompositeKind,
  RenderError as XrdRenderError,
  renderManagedKind,
  renderRequirementKind,
  requirementNames,
} from '@weft/controllers'
import { compileSchema, type CompiledSchema } from '@weft/schema'
import { withPlaceholderUid } from '../render/placeholders.ts'
import type { PackagedObjects } from './packaged-objects.ts'
import { type XrdKind, xrdKinds } from './xrd-kinds.ts'

export interface DefinedComposite {
  readonly type: CompositeType
  readonly definition: CompositeDefinition
}

/** What a schema made of an object. */
export interface Settled {
  readonly object: KubeObject
  /** Fields that its kind does not have; they are gone. */
  readonly dropped: readonly string[]
}

/**
 * The kinds that files and packages define, however they define them: CustomResourceDefinitions, ManagedResourceDefinitions,
 * CompositeResourceDefinitions, definitions and publications. The controllers' own functions make the CustomResourceDefinition of each.
 */
export class KnownKinds {
  readonly #given: readonly KubeObject[]
  readonly #packages: PackagedObjects
  readonly #objects = new Map<string, readonly KubeObject[]>()
  readonly #found = new Map<string, CustomResourceDefinition | undefined>()
  readonly #schemas = new WeakMap<CustomResourceDefinition, Map<string, CompiledSchema>>()

  constructor(given: readonly KubeObject[], packages: PackagedObjects) {
    this.#given = given
    this.#packages = packages
  }

  /** The CustomResourceDefinition of a kind, of whatever version; undefined when nothing defines it. What is given wins over what is packaged. */
  find(kind: GroupKind): CustomResourceDefinition | undefined {
    const key = formatGroupKind(kind)
    if (!this.#found.has(key))
      this.#found.set(key, this.#among(this.#given, kind) ?? ofWeft(kind) ?? this.#among(this.#packages.mentioning(kind.kind), kind))
    return this.#found.get(key)
  }

  isNamespaced(kind: GroupKind): boolean | undefined {
    const crd = this.find(kind)
    return crd && crd.spec.scope === 'Namespaced'
  }

  /** The definition of a composite or application. */
  composite({ group, kind }: GroupKind): DefinedComposite | undefined {
    for (const object of this.#given) {
      const type = compositeTypeOf(object)
      if (type === undefined || !hasTemplate(object)) continue
      const template = object.spec.crdSpecTemplate
      if (template.group === group && template.names.kind === kind) return { type, definition: object }
    }
    return undefined
  }

  /** The definition of what a requirement requires, and its publication if it has one. */
  required({
    group,
    kind,
  }: GroupKind): { readonly definition: CompositeDefinition; readonly publication: KubeObject | undefined } | undefined {
    for (const object of this.#given) {
      if (compositeTypeOf(object) !== INFRASTRUCTURE || !hasTemplate(object)) continue
      const template = object.spec.crdSpecTemplate
      if (template.group !== group || requirementNames(template.names).kind !== kind) continue
      return { definition: object, publication: this.#publicationOf(object) }
    }
    return undefined
  }

  /** Is there an InfrastructureDefinition of this name? */
  hasDefinition(name: string): boolean {
    return this.#given.some((object) => compositeTypeOf(object) === INFRASTRUCTURE && object.metadata.name === name)
  }

  /** Given or packaged, of one kind. */
  objects({ group, kind }: GroupKind): readonly KubeObject[] {
    const isOne = (object: KubeObject): boolean => object.kind === kind && gvkOf(object).group === group
    const key = formatGroupKind({ group, kind })
    const known = this.#objects.get(key) ?? [...this.#given, ...this.#packages.mentioning(kind)].filter(isOne)
    this.#objects.set(key, known)
    return known
  }

  /** As it is written. */
  writtenSchema({ group, version, kind }: GroupVersionKind): Schema | undefined {
    const served = this.find({ group, kind })?.spec.versions.find(({ name }) => name === version)
    return served && (served as { readonly schema?: { readonly openAPIV3Schema?: Schema } }).schema?.openAPIV3Schema
  }

  schema(gvk: GroupVersionKind): CompiledSchema | undefined {
    const { version } = gvk
    const crd = this.find(gvk)
    const raw = this.writtenSchema(gvk)
    if (crd === undefined || raw === undefined) return undefined
    const compiled = this.#schemas.get(crd) ?? new Map<string, CompiledSchema>()
    this.#schemas.set(crd, compiled)
    let schema = compiled.get(version)
    if (schema === undefined) compiled.set(version, (schema = compileSchema(rooted(raw))))
    return schema
  }

  /** As the server stores it: without what its kind does not know, with defaults. As it is when its kind is not known. */
  settle(object: KubeObject): Settled {
    const schema = this.schema(gvkOf(object))
    if (schema === undefined) return { object, dropped: [] }
    const dropped: string[] = []
    const pruned = schema.prune(object, { collect: (path) => dropped.push(path) })
    return { object: schema.applyDefaults(schema.dropNulls(pruned)) as KubeObject, dropped }
  }

  #among(objects: readonly KubeObject[], kind: GroupKind): CustomResourceDefinition | undefined {
    for (const object of objects) {
      const crd = this.#definedBy(object, kind)
      if (crd !== undefined) return crd
    }
    return undefined
  }

  #definedBy(object: KubeObject, { group, kind }: GroupKind): CustomResourceDefinition | undefined {
    const spec = object['spec']
    if (!isJsonObject(spec)) return undefined
    if (isOfKind(customResourceDefinitionKind, object) || isOfKind(managedResourceDefinitionKind, object)) {
      const names = spec['names']
      if (spec['group'] !== group || !isJsonObject(names) || names['kind'] !== kind) return undefined
      return isOfKind(customResourceDefinitionKind, object) ? object : renderManagedKind(withPlaceholderUid(object))
    }
    const offered = xrdKinds(object).find((each) => each.group === group && each.kind === kind)
    if (offered !== undefined) return rendered(offered)
    const type = compositeTypeOf(object)
    if (type === undefined || !hasTemplate(object)) return undefined
    const template = object.spec.crdSpecTemplate
    if (template.group !== group || checkTemplate(template, object.metadata.name ?? '').length > 0) return undefined
    if (template.names.kind === kind) return renderCompositeKind(type, withPlaceholderUid(object))
    if (type !== INFRASTRUCTURE || requirementNames(template.names).kind !== kind) return undefined
    return renderRequirementKind(withPlaceholderUid(this.#publicationOf(object) ?? object), template)
  }

  #publicationOf(definition: CompositeDefinition): KubeObject | undefined {
    return this.#given.find((object) => {
      const ref = specOf(object)['infrastructureDefinitionReference']
      return isOfKind(infrastructurePublicationKind, object) && isJsonObject(ref) && ref['name'] === definition.metadata.name
    })
  }
}

const GROUP = 'apiextensions.crossplane.io/'

/** Is it an ApplicationDefinition or an InfrastructureDefinition? */
function compositeTypeOf({ apiVersion, kind }: KubeObject): CompositeType | undefined {
  if (!apiVersion.startsWith(GROUP)) return undefined
  return kind === 'InfrastructureDefinition' ? INFRASTRUCTURE : kind === 'ApplicationDefinition' ? APPLICATION : undefined
}

/** Nothing in a file is trusted to have its shape. */
function hasTemplate(object: KubeObject): object is CompositeDefinition {
  const template = specOf(object)['crdSpecTemplate']
  const names = isJsonObject(template) ? template['names'] : undefined
  return isJsonObject(names) && typeof names['kind'] === 'string' && typeof names['plural'] === 'string'
}

/** Undefined where no kind can come of it, which its own check says. */
function rendered(kind: XrdKind): CustomResourceDefinition | undefined {
  try {
    return kind.render()
  } catch (error) {
    if (error instanceof XrdRenderError) return undefined
    throw error
  }
}

const ofWeft = ({ group, kind }: GroupKind): CustomResourceDefinition | undefined =>
  weftKinds.find(({ spec }) => spec.group === group && spec.names.kind === kind) as CustomResourceDefinition | undefined

const ANYTHING: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Every object has these, whatever its schema says. */
const rooted = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: ANYTHING },
})
