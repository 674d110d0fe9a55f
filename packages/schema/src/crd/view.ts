import { deepEqual } from '@weft/api'
import type { CrdSpec, CrdSubresources, CrdValidation, CrdVersion, PrinterColumn, SelectableField } from './types.ts'

/**
 * A spec as kube-apiserver holds it inside: what all versions share stands once, at the top. Error paths follow this
 * form, so a CRD whose versions have one schema gets errors on `spec.validation`, not on `spec.versions[0].schema`.
 */
export interface SpecView {
  readonly versions: readonly CrdVersion[]
  readonly validation?: CrdValidation
  readonly subresources?: CrdSubresources
  readonly additionalPrinterColumns: readonly PrinterColumn[]
  readonly selectableFields: readonly SelectableField[]
}

export function viewOf(spec: CrdSpec): SpecView {
  const versions = spec.versions ?? []
  const [first] = versions
  if (first === undefined) return { versions, additionalPrinterColumns: [], selectableFields: [] }
  const shared = (key: SharedKey): boolean => versions.every((version) => deepEqual(version[key] ?? null, first[key] ?? null))
  const sharedKeys: ReadonlySet<string> = new Set(SHARED.filter(shared))
  return {
    versions: versions.map(
      (version) => Object.fromEntries(Object.entries(version).filter(([key]) => !sharedKeys.has(key))) as unknown as CrdVersion,
    ),
    ...(sharedKeys.has('schema') && first.schema !== undefined && { validation: first.schema }),
    ...(sharedKeys.has('subresources') && first.subresources !== undefined && { subresources: first.subresources }),
    additionalPrinterColumns: sharedKeys.has('additionalPrinterColumns') ? (first.additionalPrinterColumns ?? []) : [],
    selectableFields: sharedKeys.has('selectableFields') ? (first.selectableFields ?? []) : [],
  }
}

const SHARED = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const
type SharedKey = (typeof SHARED)[number]

/** Versions as kube-apiserver prints them in an error. */
export const printableVersions = (view: SpecView): readonly object[] =>
  view.versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema ?? null,
    Subresources: version.subresources ?? null,
    AdditionalPrinterColumns: version.additionalPrinterColumns ?? null,
    SelectableFields: version.selectableFields ?? null,
  }))
