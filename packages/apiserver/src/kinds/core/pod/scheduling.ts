import { type Message, list, message, opt, ptr, req } from '../../message.ts'
import { labelSelector } from '../../meta.ts'

/** Where pods may run. */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const affinity: Message = message(v1('Affinity'), 'Where a pod prefers to run.', () => ({
  nodeAffinity: ptr(1, nodeAffinity, 'Nodes to prefer or need.'),
  podAffinity: ptr(2, podAffinity, 'Pods to run close to.'),
  podAntiAffinity: ptr(3, podAntiAffinity, 'Pods to run away from.'),
}))

export const nodeAffinity: Message = message(v1('NodeAffinity'), 'Nodes a pod prefers or needs.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: ptr(1, nodeSelector, 'What must hold when the pod is scheduled.'),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(preferredSchedulingTerm), 'What is preferred when the pod is scheduled.'),
}))

export const nodeSelector: Message = message(
  v1('NodeSelector'),
  'Selects nodes; one term must match.',
  () => ({
    nodeSelectorTerms: req(1, list(nodeSelectorTerm), 'Terms of which one must match.'),
  }),
  { mapType: 'atomic' },
)

export const nodeSelectorTerm: Message = message(
  v1('NodeSelectorTerm'),
  'Requirements on a node, all of which must match.',
  () => ({
    matchExpressions: opt(1, list(nodeSelectorRequirement), 'Requirements on labels.'),
    matchFields: opt(2, list(nodeSelectorRequirement), 'Requirements on fields.'),
  }),
  { mapType: 'atomic' },
)

export const nodeSelectorRequirement: Message = message(
  v1('NodeSelectorRequirement'),
  'A requirement on one label or field of a node.',
  () => ({
    key: req(1, 'string', 'Key.'),
    operator: req(2, 'string', 'How the values are compared.'),
    values: opt(3, list('string'), 'Values to compare with.'),
  }),
)

export const preferredSchedulingTerm: Message = message(v1('PreferredSchedulingTerm'), 'A preference for nodes and its weight.', () => ({
  weight: req(1, 'int32', 'How much it counts, 1 to 100.'),
  preference: req(2, nodeSelectorTerm, 'The preference.'),
}))

export const podAffinity: Message = message(v1('PodAffinity'), 'Pods to run close to.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: opt(1, list(podAffinityTerm), 'What must hold when the pod is scheduled.'),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(weightedPodAffinityTerm), 'What is preferred when the pod is scheduled.'),
}))

export const podAffinityTerm: Message = message(v1('PodAffinityTerm'), 'Which pods, and what close means.', () => ({
  labelSelector: ptr(1, labelSelector, 'Selects by label.'),
  namespaces: opt(2, list('string'), 'Names of namespaces.'),
  topologyKey: req(3, 'string', 'Label of nodes that makes up a domain.'),
  namespaceSelector: ptr(4, labelSelector, 'Selects namespaces by label.'),
  matchLabelKeys: opt(5, list('string'), 'Labels whose values must be equal.'),
  mismatchLabelKeys: opt(6, list('string'), 'Labels whose values must differ.'),
}))

export const weightedPodAffinityTerm: Message = message(
  v1('WeightedPodAffinityTerm'),
  'A preference for closeness to pods and its weight.',
  () => ({
    weight: req(1, 'int32', 'How much it counts, 1 to 100.'),
    podAffinityTerm: req(2, podAffinityTerm, 'The preference.'),
  }),
)

export const podAntiAffinity: Message = message(v1('PodAntiAffinity'), 'Pods to run away from.', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: opt(1, list(podAffinityTerm), 'What must hold when the pod is scheduled.'),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(weightedPodAffinityTerm), 'What is preferred when the pod is scheduled.'),
}))

export const toleration: Message = message(v1('Toleration'), 'A taint that the pod puts up with.', () => ({
  key: opt(1, 'string', 'Key.'),
  operator: opt(2, 'string', 'How the values are compared.'),
  value: opt(3, 'string', 'Value.'),
  effect: opt(4, 'string', 'Effect of the taint; all when empty.'),
  tolerationSeconds: ptr(5, 'int64', 'How long the taint is put up with.'),
}))

export const topologySpreadConstraint: Message = message(v1('TopologySpreadConstraint'), 'How evenly pods are spread.', () => ({
  maxSkew: req(1, 'int32', 'Greatest difference between domains.'),
  topologyKey: req(2, 'string', 'Label of nodes that makes up a domain.'),
  whenUnsatisfiable: req(3, 'string', 'DoNotSchedule or ScheduleAnyway.'),
  labelSelector: ptr(4, labelSelector, 'Selects by label.'),
  minDomains: ptr(5, 'int32', 'Least number of domains.'),
  nodeAffinityPolicy: ptr(6, 'string', 'Whether node affinity counts: Honor or Ignore.'),
  nodeTaintsPolicy: ptr(7, 'string', 'Whether taints count: Honor or Ignore.'),
  matchLabelKeys: opt(8, list('string'), 'Labels whose values must be equal.'),
}))
