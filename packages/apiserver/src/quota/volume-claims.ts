import { NANO, type KubeObject } from '@weft/api'
import { type Quantity, quantityOf, whole } from '../kinds/quantity.ts'
import { at, isSet, textAt } from '../kinds/read.ts'
import type { Measure } from './measure.ts'
import { matchesValue } from './scopes.ts'

const CLASS = '.storageclass.storage.k8s.io/'
const LIMITS = /^(count\/persistentvolumeclaims|(.+\.storageclass\.storage\.k8s\.io\/)?(persistentvolumeclaims|requests\.storage))$/

/** How many claims there are and how much they ask for, in all and of each class of storage. */
export const volumeClaims: Measure = {
  limits: { has: (name) => LIMITS.test(name) },
  varies: true,
  usage(claim) {
    const one = whole(1)
    const name = classOf(claim)
    const storage = storageOf(claim)
    return new Map([
      ['count/persistentvolumeclaims', one],
      ['persistentvolumeclaims', one],
      ...(storage === undefined ? [] : [['requests.storage', storage] as const]),
      ...(name === '' ? [] : [[`${name}${CLASS}persistentvolumeclaims`, one] as const]),
      ...(name === '' || storage === undefined ? [] : [[`${name}${CLASS}requests.storage`, storage] as const]),
    ])
  },
  matches: ({ scopeName, operator, values }, claim) =>
    scopeName === 'VolumeAttributesClass' && classesOf(claim).some((name) => matchesValue({ operator, values }, name)),
}

const classOf = (claim: KubeObject): string =>
  claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? textAt(claim, 'spec', 'storageClassName')

/** In whole bytes; what was allocated counts where it is more than what is asked for. */
function storageOf(claim: KubeObject): Quantity | undefined {
  const asked = at(claim, 'spec', 'resources', 'requests', 'storage')
  if (!isSet(asked)) return undefined
  const [wanted, given] = [quantityOf(asked), quantityOf(at(claim, 'status', 'allocatedResources', 'storage') ?? 0)]
  const { nanos, format } = given.nanos > wanted.nanos ? given : wanted
  return { nanos: nanos + ((NANO - (nanos % NANO)) % NANO), format }
}

/** The class that is asked for, and those that it has and is moving to. None counts as one without a name. */
function classesOf(claim: KubeObject): readonly string[] {
  const names = [
    textAt(claim, 'spec', 'volumeAttributesClassName'),
    textAt(claim, 'status', 'currentVolumeAttributesClassName'),
    textAt(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '')
  return names.length === 0 ? [''] : names
}
