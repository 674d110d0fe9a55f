import { type FieldError, type GroupVersionKind, invalid, isJsonObject, type KubeObject, type StatusError } from '@weft/api'
import type { AdmissionPlugin, ServedKinds } from '@weft/apiserver'
import {
  APPLICATION,
  applicationDefinitionKind,
  checkKept,
  type CompositeDefinition,
  type DefinedRole,
  INFRASTRUCTURE,
  infrastructureDefinitionKind,
} from '@weft/controllers'
import { refuseDeletion } from './deletion-guard.ts'
import type { Existing } from './existing.ts'
import { checkSchemaChange } from './schema-change.ts'

/** A write that may take something away from what exists, wherever it was made. */
export interface GuardedWrite {
  readonly operation: string
  /** Absent when it is deleted. */
  readonly object: KubeObject | undefined
  /** Absent when it is created. */
  readonly oldObject: KubeObject | undefined
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly subresource: string
  readonly username: string
}

type Refusal = StatusError | undefined

/**
 * Keeps what exists from being lost by a write that was not meant so: deletions that take others along, references that lead elsewhere,
 * definitions that no longer fit their instances. Whatever has to be asked for is asked for only when a write is of such a sort.
 */
export function guard(write: GuardedWrite, existing: Existing & Defined): Refusal | Promise<Refusal> {
  const { operation, object, oldObject, group, kind, plural, subresource, username } = write
  if (subresource !== '' || oldObject === undefined) return undefined
  if (operation === 'DELETE') return refuseDeletion(oldObject, { username, plural }, existing)
  if (operation !== 'UPDATE' || object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined
  const refuse = (errors: readonly FieldError[]): Refusal =>
    errors.length === 0 ? undefined : invalid({ group, kind, name: object.metadata.name ?? '' }, errors)
  if (group === infrastructureDefinitionKind.group && DEFINITIONS.has(kind))
    return checkSchemaChange(oldObject as CompositeDefinition, object as CompositeDefinition, existing).then(refuse)
  if (!hasMachinery(oldObject)) return undefined
  const role = existing.role({ group, kind })
  return role === undefined ? undefined : refuse(checkKept(oldObject, object, role))
}

const DEFINITIONS: ReadonlySet<string> = new Set([infrastructureDefinitionKind.kind, applicationDefinitionKind.kind])

/** Most objects are of no defined kind; they cost one look. */
function hasMachinery({ spec }: { readonly [field: string]: unknown }): boolean {
  return isJsonObject(spec) && (isJsonObject(spec['infrastructure']) || isJsonObject(spec['application']))
}

/** Which kinds are defined, and as what. */
export interface Defined {
  role(kind: { readonly group: string; readonly kind: string }): DefinedRole | undefined
}

/** From the definitions that are there. */
export function definedIn(kinds: Pick<ServedKinds, 'objects'>): Defined & Pick<Existing, 'definition'> {
  const infrastructure = (): readonly CompositeDefinition[] => kinds.objects(infrastructureDefinitionKind) as readonly CompositeDefinition[]
  const isOf =
    (kind: string, group: string) =>
    (each: CompositeDefinition): boolean =>
      each.spec.crdSpecTemplate.group === group && each.spec.crdSpecTemplate.names.kind === kind
  return {
    role({ group, kind }) {
      if (infrastructure().some(isOf(kind, group))) return INFRASTRUCTURE
      if ((kinds.objects(applicationDefinitionKind) as readonly CompositeDefinition[]).some(isOf(kind, group))) return APPLICATION
      return kind.endsWith('Requirement') && infrastructure().some(isOf(kind.slice(0, -'Requirement'.length), group))
        ? 'requirement'
        : undefined
    },
    definition: (name) => infrastructure().find(({ metadata }) => metadata.name === name),
  }
}

/** As a plug-in of the embedded server. `kinds` answers what it serves right now. */
export function weftGuard(kinds: () => ServedKinds): AdmissionPlugin {
  const served = { objects: (kind: GroupVersionKind) => kinds().objects(kind) }
  const existing = { ...served, ...definedIn(served) }
  return {
    name: 'WeftGuard',
    validate({ operation, object, oldObject, type, subresource, user }) {
      if (!type.custom && type.plural !== 'customresourcedefinitions') return undefined
      const { group, kind, plural } = type
      const refusal = guard({ operation, object, oldObject, group, kind, plural, subresource, username: user.username }, existing)
      if (refusal instanceof Promise) return refusal.then(mustBeAllowed)
      return mustBeAllowed(refusal)
    },
  }
}

function mustBeAllowed(refusal: Refusal): void {
  if (refusal !== undefined) throw refusal
}
