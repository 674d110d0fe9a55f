import { formatGroupKind, getOwn, gvkOf, type JsonObject, type KubeObject, setOwn } from '@weft/api'
import { CONNECTION_SECRET_PREFIX } from '../naming/annotations.ts'
import { specTemplateOf } from '../normalise/class.ts'
import { secretRefOf } from '../normalise/secret-ref.ts'
import { keyPrefixOf } from './parse.ts'
import type { ComposedTemplate, TemplateBase } from './template.ts'

/**
 * 003 and 000: the one template that a typed class stands for. Which managed kind that is comes from the binding table. The class's labels are
 * not copied (B6), of its annotations only the secret prefix (A21); prefix and suffix of external names are baked in by
 * `provisionedExternalName` (A19).
 */
export function classTemplate(classObject: KubeObject, managed: { readonly apiVersion: string; readonly kind: string }): ComposedTemplate {
  const prefix = getOwn(classObject.metadata?.annotations ?? {}, CONNECTION_SECRET_PREFIX)
  const base: TemplateBase = {
    apiVersion: managed.apiVersion,
    kind: managed.kind,
    metadata: typeof prefix === 'string' ? { annotations: { [CONNECTION_SECRET_PREFIX]: prefix } } : {},
    spec: specOf(specTemplateOf(classObject)),
  }
  return {
    identity: classIdentity(classObject),
    origin: classObject['specTemplate'] === undefined ? 'spec' : 'specTemplate',
    base,
    patches: [],
    connectionDetails: [],
    readinessChecks: [],
    ...keyPrefixOf(base),
  }
}

/** A14: at most one member per class: `SQLServerClass.database.azure.crossplane.io/private-mysql-server`. */
export const classIdentity = (classObject: KubeObject): string =>
  `${formatGroupKind(gvkOf(classObject))}/${classObject.metadata.name ?? ''}`

/** `writeConnectionSecretsToNamespace` is the class's way to say where; on a resource it is a reference (B5, never emitted). */
function specOf(template: JsonObject): JsonObject {
  const ref = secretRefOf(template)
  if (ref === undefined) return template
  const spec: Record<string, unknown> = {}
  for (const key of Object.keys(template)) {
    if (key !== 'writeConnectionSecretsToNamespace' && key !== 'writeConnectionSecretsToRef') setOwn(spec, key, getOwn(template, key))
  }
  setOwn(spec, 'writeConnectionSecretToRef', ref)
  return spec as JsonObject
}
