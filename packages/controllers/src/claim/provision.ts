import { hasReason, type JsonObject, type KubeObject, type Labels, specOf, withMeta } from '@weft/api'
import {
  ADOPT,
  applyPatches,
  type ComposedTemplate,
  describeInput,
  fieldOf,
  type Provenance,
  render,
  type SecretOptions,
  type SkippedPatch,
} from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { withSpec } from '../binding/spec-reference.ts'
import type { MemberTemplate } from './class-source.ts'

export interface ProvisionOptions {
  readonly claim: KubeObject
  readonly name: string
  readonly labels: Labels
  /** Machinery: who it belongs to, which class it is from. */
  readonly spec: JsonObject
  readonly secret: SecretOptions
}

export interface Provisioned {
  readonly object: KubeObject
  /** What the claim asked for and the class overruled (B26), in sentences. */
  readonly overruled: readonly string[]
  /** Which patch, or mapping of the binding row, wrote which path. */
  readonly written: readonly Provenance[]
  readonly skipped: readonly SkippedPatch[]
}

/**
 * The managed resource that a template makes for a claim. Pure. Its reclaim policy is written down, Delete unless the class says otherwise, so
 * that whoever reads it later knows; where the claim and the class disagree about a field, the class is right (B26).
 */
export function provision({ template, fieldMappings, externalName, classObject }: MemberTemplate, options: ProvisionOptions): Provisioned {
  const { claim, name, labels, spec, secret } = options
  const overruled: string[] = []
  const fromClaim: Provenance[] = []
  const notSaid: SkippedPatch[] = []
  let base = withAdoption(template.base, classObject)
  for (const mapping of fieldMappings) {
    const decided = fieldOf(base, mapping.toFieldPath)
    const mapped = applyPatches([mapping], 'composed', { composite: claim }, base)
    if (decided === undefined || decided === null) {
      if (!mapped.ok)
        throw new BindingError('ClassUnusable', `the claim cannot be satisfied from ${nameOf(classObject)}: ${mapped.error.message}`)
      base = mapped.value.object
      fromClaim.push(...mapped.value.written)
      notSaid.push(...mapped.value.skipped)
    } else if (!mapped.ok || (mapped.value.written.length > 0 && text(fieldOf(mapped.value.object, mapping.toFieldPath)) !== text(decided)))
      overruled.push(
        `${describeInput(mapping.input)} is ignored, because ${nameOf(classObject)} says that ${mapping.toFieldPath.text} is ${text(decided)}`,
      )
  }
  const mapped: ComposedTemplate = { ...template, base }
  const rendered = render(mapped, { from: claim, name, labels, spec, secret, ...(externalName !== undefined && { externalName }) })
  if (!rendered.ok) throw new BindingError('ClassUnusable', `${nameOf(classObject)} cannot be used: ${rendered.error.message}`)
  const { object, written, skipped } = rendered.value
  return {
    object: specOf(object)['reclaimPolicy'] === undefined ? withSpec(object, { reclaimPolicy: 'Delete' }) : object,
    overruled,
    written: [...fromClaim, ...written],
    skipped: [...notSaid, ...skipped],
  }
}

/** What the class says of everything that it makes, its base may say of itself. */
const withAdoption = (base: KubeObject, { metadata }: KubeObject): KubeObject =>
  metadata.annotations?.[ADOPT] === 'true' ? withMeta(base, { annotations: { ...base.metadata.annotations, [ADOPT]: 'true' } }) : base

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name ?? ''}`
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Did the server refuse the object itself? Trying again with the same object cannot help. */
export const isRejection = (error: unknown): boolean =>
  hasReason(error, 'Invalid') || hasReason(error, 'BadRequest') || hasReason(error, 'RequestEntityTooLarge')
