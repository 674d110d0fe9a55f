import { deepEqual, findCondition, type Schema } from '@weft/api'
import { nodeOf } from '../node.ts'
import { pruneValue } from '../transform/prune.ts'
import { childSchemas } from '../structure/structural.ts'
import { MAX_SELECTABLE_FIELDS } from './columns.ts'
import { hasKnownReviewVersion, isCaBundle } from './conversion.ts'
import { hasGranularSet, mapListKeyErrors } from './schema-lists.ts'
import type { SchemaRules } from './schema-rules.ts'
import type { CrdVersion, CustomResourceDefinition } from './types.ts'
import { viewOf } from './view.ts'

/** What is asked of an update. A rule that the stored definition does not meet is waived, or it could never be changed again. */
export interface Leniency extends SchemaRules {
  readonly isEstablished: boolean
  readonly requireKnownReviewVersion: boolean
  readonly requireSchema: boolean
  readonly requirePrunedDefaults: boolean
  readonly allowInvalidCaBundle: boolean
  /** Names of versions whose schema did not change. */
  readonly unchangedVersions: ReadonlySet<string>
  /** Names of versions ('' for the shared list) that keep more selectable fields than are allowed now. */
  readonly tooManySelectable: ReadonlySet<string>
}

export const STRICT: Leniency = {
  isEstablished: false,
  requireKnownReviewVersion: true,
  requireSchema: true,
  requirePrunedDefaults: true,
  requireKnownTypes: true,
  requireAtomicSets: true,
  requireMapListKeys: true,
  // On creation a bundle may be filled in later, by whoever issues the certificate.
  allowInvalidCaBundle: true,
  unchangedVersions: new Set(),
  tooManySelectable: new Set(),
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', ''])

export function leniencyOf(crd: CustomResourceDefinition, old: CustomResourceDefinition): Leniency {
  const schemas = (old.spec.versions ?? []).flatMap((version) => version.schema?.openAPIV3Schema ?? [])
  const anywhere = (test: (schema: Schema) => boolean): boolean => schemas.some((schema) => hasSchema(schema, test))
  const isEstablished = findCondition(old.status?.conditions, 'Established')?.status === 'True'
  const oldBundle = old.spec.conversion?.webhook?.clientConfig?.caBundle
  return {
    isEstablished,
    requireKnownReviewVersion: hasKnownReviewVersion(old.spec.conversion?.webhook?.conversionReviewVersions ?? []),
    requireSchema: schemas.length === (old.spec.versions ?? []).length,
    requirePrunedDefaults: !anywhere(hasUnprunedDefault),
    requireKnownTypes: !anywhere(({ type }) => !TYPES.has(type ?? '')),
    requireAtomicSets: !anywhere(hasGranularSet),
    requireMapListKeys: !anywhere((schema) => mapListKeyErrors(schema, '').length > 0),
    allowInvalidCaBundle: !isEstablished || (oldBundle !== undefined && oldBundle !== '' && !isCaBundle(oldBundle)),
    unchangedVersions: new Set(
      (crd.spec.versions ?? []).filter((version) => sameSchema(version, versionOf(old, version.name))).map(({ name }) => name),
    ),
    tooManySelectable: tooManySelectable(crd, old),
  }
}

function hasSchema(schema: Schema, test: (schema: Schema) => boolean): boolean {
  return test(schema) || childSchemas(schema).some((child) => hasSchema(child, test))
}

const hasUnprunedDefault = (schema: Schema): boolean =>
  schema.default !== undefined && !deepEqual(pruneValue(nodeOf(schema), schema.default, { root: false }), schema.default)

const versionOf = (crd: CustomResourceDefinition, name: string): CrdVersion | undefined =>
  (crd.spec.versions ?? []).find((version) => version.name === name)

const sameSchema = (a: CrdVersion, b: CrdVersion | undefined): boolean => b !== undefined && deepEqual(a.schema ?? null, b.schema ?? null)

function tooManySelectable(crd: CustomResourceDefinition, old: CustomResourceDefinition): Set<string> {
  const view = viewOf(crd.spec)
  const oldView = viewOf(old.spec)
  const names = new Set<string>()
  const keeps = (now: readonly unknown[] | undefined, before: readonly unknown[] | undefined): boolean =>
    (before?.length ?? 0) > MAX_SELECTABLE_FIELDS && deepEqual(now, before)
  if (keeps(view.selectableFields, oldView.selectableFields)) names.add('')
  for (const version of view.versions) {
    const before = oldView.versions.find(({ name }) => name === version.name)
    if (keeps(version.selectableFields, before?.selectableFields)) names.add(version.name)
  }
  return names
}
