import { type Message, list, map, message, opt, ptr, req, root } from '../../message.ts'
import { objectMeta } from '../../meta.ts'
import { localObjectReference } from '../messages.ts'
import { container, ephemeralContainer, resourceRequirements } from './container.ts'
import { affinity, toleration, topologySpreadConstraint } from './scheduling.ts'
import { podSecurityContext } from './security.ts'
import { volume } from './volume.ts'

/** Pod templates. Weft runs no pods; it stores templates for those who do. */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const podTemplate: Message = root(v1('PodTemplate'), 'A stored template for pods.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  template: opt(2, podTemplateSpec, 'The pods to make from it.'),
}))

export const podTemplateSpec: Message = message(v1('PodTemplateSpec'), 'The pods to make from a template.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, podSpec, 'What is wanted.'),
}))

export const podSpec: Message = message(v1('PodSpec'), 'What a pod consists of and how it runs.', () => ({
  volumes: opt(1, list(volume, ['name']), 'Volumes that containers can mount.', {
    patchStrategy: 'merge,retainKeys',
    patchMergeKey: 'name',
  }),
  initContainers: opt(20, list(container, ['name']), 'Containers that run before the others.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
  containers: req(2, list(container, ['name']), 'Containers of the pod.', { patchStrategy: 'merge', patchMergeKey: 'name' }),
  ephemeralContainers: opt(34, list(ephemeralContainer, ['name']), 'Containers added for debugging.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
  restartPolicy: opt(3, 'string', 'When it is restarted.'),
  terminationGracePeriodSeconds: ptr(4, 'int64', 'Seconds granted to end gracefully.'),
  activeDeadlineSeconds: ptr(5, 'int64', 'Seconds after which the pod is failed.'),
  dnsPolicy: opt(6, 'string', 'How names are resolved.'),
  nodeSelector: opt(7, map('string'), 'Labels that the node must have.', { mapType: 'atomic' }),
  serviceAccountName: opt(8, 'string', 'Service account to run as.'),
  serviceAccount: opt(9, 'string', 'Older name of serviceAccountName.'),
  automountServiceAccountToken: ptr(21, 'bool', 'Whether a token is mounted.'),
  nodeName: opt(10, 'string', 'Node it runs on.'),
  hostNetwork: opt(11, 'bool', "Whether it uses the node's network."),
  hostPID: opt(12, 'bool', "Whether it sees the node's processes."),
  hostIPC: opt(13, 'bool', "Whether it shares the node's IPC."),
  shareProcessNamespace: ptr(27, 'bool', "Whether containers see each other's processes."),
  securityContext: ptr(14, podSecurityContext, 'What it may do.'),
  imagePullSecrets: opt(15, list(localObjectReference, ['name']), 'Secrets for pulling images.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
  hostname: opt(16, 'string', 'Host name of the pod.'),
  subdomain: opt(17, 'string', 'Subdomain of the pod.'),
  affinity: ptr(18, affinity, 'Where it prefers to run.'),
  schedulerName: opt(19, 'string', 'Who schedules it.'),
  tolerations: opt(22, list(toleration), 'Taints it puts up with.'),
  hostAliases: opt(23, list(hostAlias, ['ip']), 'Entries for the hosts file.', { patchStrategy: 'merge', patchMergeKey: 'ip' }),
  priorityClassName: opt(24, 'string', 'Class that its priority comes from.'),
  priority: ptr(25, 'int32', 'Its priority.'),
  dnsConfig: ptr(26, podDNSConfig, 'More about resolving names.'),
  readinessGates: opt(28, list(podReadinessGate), 'Conditions that must hold for it to be ready.'),
  runtimeClassName: ptr(29, 'string', 'Class of its runtime.'),
  enableServiceLinks: ptr(30, 'bool', 'Whether services appear as environment variables.'),
  preemptionPolicy: ptr(31, 'string', 'Never or PreemptLowerPriority.'),
  overhead: opt(32, map('quantity'), 'Resources the runtime itself needs.'),
  topologySpreadConstraints: opt(33, list(topologySpreadConstraint, ['topologyKey', 'whenUnsatisfiable']), 'How evenly pods are spread.', {
    patchStrategy: 'merge',
    patchMergeKey: 'topologyKey',
  }),
  setHostnameAsFQDN: ptr(35, 'bool', 'Whether the host name is the full domain name.'),
  os: ptr(36, podOS, 'Its operating system.'),
  hostUsers: ptr(37, 'bool', "Whether it uses the node's users."),
  schedulingGates: opt(38, list(podSchedulingGate, ['name']), 'What keeps it from being scheduled.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
  resourceClaims: opt(39, list(podResourceClaim, ['name']), 'Claims on devices.', {
    patchStrategy: 'merge,retainKeys',
    patchMergeKey: 'name',
  }),
  resources: ptr(40, resourceRequirements, 'Resources needed and allowed.'),
  hostnameOverride: ptr(41, 'string', 'Host name, whatever else is said.'),
  schedulingGroup: ptr(43, podSchedulingGroup, 'Group it is scheduled with.'),
}))

export const hostAlias: Message = message(v1('HostAlias'), 'Host names added to the hosts file for one address.', () => ({
  ip: req(1, 'string', 'Address.'),
  hostnames: opt(2, list('string'), 'Host names.'),
}))

export const podDNSConfig: Message = message(v1('PodDNSConfig'), 'How a pod resolves names.', () => ({
  nameservers: opt(1, list('string'), 'Addresses of name servers.'),
  searches: opt(2, list('string'), 'Search domains.'),
  options: opt(3, list(podDNSConfigOption), 'Options.'),
}))

export const podDNSConfigOption: Message = message(v1('PodDNSConfigOption'), 'An option of the resolver.', () => ({
  name: opt(1, 'string', 'Name.'),
  value: ptr(2, 'string', 'Value.'),
}))

export const podReadinessGate: Message = message(v1('PodReadinessGate'), 'A condition that must hold for the pod to be ready.', () => ({
  conditionType: req(1, 'string', 'Type of the condition.'),
}))

export const podOS: Message = message(v1('PodOS'), 'Operating system of a pod.', () => ({
  name: req(1, 'string', 'Name.'),
}))

export const podSchedulingGate: Message = message(v1('PodSchedulingGate'), 'Something that keeps a pod from being scheduled.', () => ({
  name: req(1, 'string', 'Name.'),
}))

export const podResourceClaim: Message = message(v1('PodResourceClaim'), "A claim on a device that the pod's containers may use.", () => ({
  name: req(1, 'string', 'Name.'),
  resourceClaimName: ptr(3, 'string'),
  resourceClaimTemplateName: ptr(4, 'string'),
}))

export const podSchedulingGroup: Message = message(v1('PodSchedulingGroup'), 'Pods that are scheduled together.', () => ({
  podGroupName: ptr(1, 'string'),
}))
