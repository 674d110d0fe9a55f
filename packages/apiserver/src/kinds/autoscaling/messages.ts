import { type Message, message, opt, req, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `autoscaling/v1`: the scale subresource. */
const v1 = (kind: string): string => `io.k8s.api.autoscaling.v1.${kind}`

export const scale: Message = root(v1('Scale'), 'The number of replicas of an object.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, scaleSpec, 'The desired state.'),
  status: opt(3, scaleStatus, 'What is observed.'),
}))

export const scaleSpec: Message = message(v1('ScaleSpec'), 'The number wanted.', () => ({
  replicas: opt(1, 'int32', 'Number of replicas wanted.'),
}))

export const scaleStatus: Message = message(v1('ScaleStatus'), 'The number observed.', () => ({
  replicas: req(1, 'int32', 'Number of replicas observed.'),
  selector: opt(2, 'string', 'Label selector of the replicas, as text.'),
}))
