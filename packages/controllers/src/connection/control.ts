import type { KubeObject, OwnerReference } from '@weft/api'
import { gvkOf } from '@weft/api'
import type { Secret } from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describe, describeObject } from '../binding/claimant.ts'

/** The reference by which `owner` controls a secret. */
export const controllerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})

export const isControlledBy = (secret: Secret, owner: KubeObject): boolean => {
  const controller = controllerOf(secret)
  return controller !== undefined && controller.uid === owner.metadata.uid
}

const named = ({ metadata }: Secret): string => `secret ${metadata.namespace ?? ''}/${metadata.name ?? ''}`

/**
 * X6: nobody may read somebody else's secret by naming it in a reference. What `owner` did not publish is refused, because whoever can write the
 * reference may not be allowed to read the secret.
 */
export function mustBeControlledBy(secret: Secret, owner: KubeObject): void {
  if (isControlledBy(secret, owner)) return
  const controller = controllerOf(secret)
  const whose = controller === undefined ? 'is controlled by nobody' : `is controlled by ${describe(controller)}`
  throw new BindingError(
    'SecretRefused',
    `${named(secret)} ${whose}, not by ${describeObject(owner)}: it cannot be used as its connection secret`,
  )
}

/** X6: a secret may be written when it is ours, or when nobody controls it and it is a connection secret. */
export function mustBeWritableBy(secret: Secret, owner: KubeObject): void {
  const controller = controllerOf(secret)
  if (controller === undefined && secret.type === CONNECTION_SECRET_TYPE) return
  if (controller?.uid === owner.metadata.uid && controller !== undefined) return
  const whose =
    controller === undefined
      ? `is not a connection secret (its type is ${secret.type ?? 'Opaque'})`
      : `is controlled by ${describe(controller)}`
  throw new BindingError(
    'SecretRefused',
    `${named(secret)} ${whose}: ${gvkOf(owner).kind} ${owner.metadata.name ?? ''} must write its connection details elsewhere`,
  )
}
