import { formatGroupKind, type KubeObject, type OwnerReference } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { doomedByPackage } from './doomed-by-package.ts'
import { PACKAGE_LABEL, PACKAGE_TYPE_LABEL } from './kinds.ts'

const GROUP = 'shop.example.org'
const owner = (uid: string, controller = false): OwnerReference => ({ apiVersion: 'v1', kind: 'Any', name: uid, uid, controller })
const given: KubeObject = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'shop', uid: 'package' } }

const object = (kind: string, uid: string, owners: readonly OwnerReference[], spec: object = {}): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind,
  metadata: { name: uid, uid, ownerReferences: owners, labels: { [PACKAGE_LABEL]: 'shop', [PACKAGE_TYPE_LABEL]: 'Configuration' } },
  spec,
})
const crd = (kind: string, owners: readonly OwnerReference[]): KubeObject => ({
  ...object('CustomResourceDefinition', `crd-${kind}`, owners, {
    group: GROUP,
    scope: 'Cluster',
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [{ name: 'v1', served: true, storage: true }],
  }),
  apiVersion: 'apiextensions.k8s.io/v1',
})
const composition = (uid: string, kind: string, owners: readonly OwnerReference[]): KubeObject =>
  object('Composition', uid, owners, {
    from: { apiVersion: `${GROUP}/v1`, kind },
    to: [{ base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource' } }],
  })

describe('what a package takes along', () => {
  it('is of the kinds that it defines, directly or through a definition, and the composites of its compositions, each once', () => {
    const doomed = doomedByPackage(given, [
      crd('Store', [owner('revision', true), owner('package')]),
      object('InfrastructureDefinition', 'definition', [owner('package')]),
      crd('Disk', [owner('definition', true)]),
      composition('disks', 'Disk', [owner('package')]),
      composition('elsewhere', 'Network', [owner('package')]),
    ])
    expect(doomed.map(({ kind, effect }) => `${effect} ${formatGroupKind(kind)}`)).toEqual([
      `deletes Store.${GROUP}`,
      `deletes Disk.${GROUP}`,
      `orphans Network.${GROUP}`,
    ])
  })

  it('is nothing that merely carries its label: labels can be written by others', () => {
    const foreign = [
      crd('Store', []),
      object('InfrastructureDefinition', 'theirs', []),
      crd('Disk', [owner('theirs', true)]),
      composition('disks', 'Disk', []),
    ]
    expect(doomedByPackage(given, foreign)).toEqual([])
  })
})
