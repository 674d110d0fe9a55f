import { type Message, message, opt, ptr, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `coordination.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.coordination.v1.${kind}`

export const lease: Message = root(v1('Lease'), 'A claim on something, held for a time and renewed.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, leaseSpec, 'The desired state.'),
}))

export const leaseSpec: Message = message(v1('LeaseSpec'), 'Who holds the claim and for how long.', () => ({
  holderIdentity: ptr(1, 'string', 'Who holds it.'),
  leaseDurationSeconds: ptr(2, 'int32', 'How long others must wait after the last renewal.'),
  acquireTime: ptr(3, 'microTime', 'When it was taken.'),
  renewTime: ptr(4, 'microTime', 'When it was last renewed.'),
  leaseTransitions: ptr(5, 'int32', 'How often it changed hands.'),
  strategy: ptr(6, 'string', 'How a holder is chosen in coordinated election.'),
  preferredHolder: ptr(7, 'string', 'Who should take over, in coordinated election.'),
}))
