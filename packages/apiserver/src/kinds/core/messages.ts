import { type Message, list, map, message, opt, ptr, req, root } from '../message.ts'
import { condition, objectMeta } from '../meta.ts'

/** Messages of the core group, pods and their templates apart (`pod/`). */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const namespace: Message = root(v1('Namespace'), 'A scope that names are unique in; deleting it deletes what is inside.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, namespaceSpec, 'The desired state.'),
  status: opt(3, namespaceStatus, 'What is observed.'),
}))

export const namespaceSpec: Message = message(v1('NamespaceSpec'), 'What a namespace holds on to.', () => ({
  finalizers: opt(1, list('string'), 'Who must finish before the namespace may go away.'),
}))

export const namespaceStatus: Message = message(v1('NamespaceStatus'), 'Where a namespace is in its life.', () => ({
  phase: opt(1, 'string', 'Active or Terminating.'),
  conditions: opt(2, list(namespaceCondition, ['type']), 'Findings about the namespace, most of them about its deletion.', {
    patchStrategy: 'merge',
    patchMergeKey: 'type',
  }),
}))

export const namespaceCondition: Message = message(v1('NamespaceCondition'), 'One finding about a namespace.', () => ({
  type: req(1, 'string', 'Which aspect this is about.'),
  status: req(2, 'string', 'True, False or Unknown.'),
  lastTransitionTime: opt(4, 'time', 'When the status last changed.'),
  reason: opt(5, 'string', 'Machine-readable cause, in CamelCase.'),
  message: opt(6, 'string', 'Explanation for people.'),
}))

export const secret: Message = root(v1('Secret'), 'Small pieces of sensitive data, such as passwords and keys.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  immutable: ptr(5, 'bool', 'When true, the data can no longer change.'),
  data: opt(2, map('bytes'), 'Entries, base64-encoded.'),
  stringData: opt(4, map('string'), 'Entries as plain text; write-only, merged into data.'),
  type: opt(3, 'string', 'What the data is for; cannot change.'),
}))

export const configMap: Message = root(v1('ConfigMap'), 'Configuration data, as text or as bytes.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  immutable: ptr(4, 'bool', 'When true, the data can no longer change.'),
  data: opt(2, map('string'), 'Entries as text.'),
  binaryData: opt(3, map('bytes'), 'Entries as bytes, base64-encoded.'),
}))

export const event: Message = root(v1('Event'), 'A report that something happened to an object.', () => ({
  metadata: req(1, objectMeta, 'Name, labels and the other standard metadata.'),
  involvedObject: req(2, objectReference, 'The object it is about.'),
  reason: opt(3, 'string', 'Short machine-readable cause.'),
  message: opt(4, 'string', 'What happened, for people.'),
  source: opt(5, eventSource, 'Which component reported it.'),
  firstTimestamp: opt(6, 'time', 'When it was first seen.'),
  lastTimestamp: opt(7, 'time', 'When it was last seen.'),
  count: opt(8, 'int32', 'How often it was seen.'),
  type: opt(9, 'string', 'Normal or Warning.'),
  eventTime: opt(10, 'microTime', 'When it was first observed.'),
  series: ptr(11, eventSeries, 'Set when the event repeats.'),
  action: opt(12, 'string', 'What was done or failed.'),
  related: ptr(13, objectReference, 'A second object that takes part.'),
  reportingComponent: req(14, 'string', 'The controller that reports.', { required: false }),
  reportingInstance: req(15, 'string', 'The instance of that controller.', { required: false }),
}))

export const objectReference: Message = message(
  v1('ObjectReference'),
  'Points to an object of any kind.',
  () => ({
    kind: opt(1, 'string', 'Kind of the object.'),
    namespace: opt(2, 'string', 'Namespace of the object.'),
    name: opt(3, 'string', 'Name of the object.'),
    uid: opt(4, 'string', 'UID of the object.'),
    apiVersion: opt(5, 'string', 'Group and version of the object.'),
    resourceVersion: opt(6, 'string', 'Version of the object that is meant.'),
    fieldPath: opt(7, 'string', 'Part of the object that is meant, as a path.'),
  }),
  { mapType: 'atomic' },
)

export const eventSource: Message = message(v1('EventSource'), 'The component that reported an event.', () => ({
  component: opt(1, 'string', 'Name of the component.'),
  host: opt(2, 'string', 'Node the component runs on.'),
}))

export const eventSeries: Message = message(v1('EventSeries'), 'How an event repeats.', () => ({
  count: opt(1, 'int32', 'How often it was seen so far.'),
  lastObservedTime: opt(2, 'microTime', 'When it was last seen.'),
}))

export const serviceAccount: Message = root(v1('ServiceAccount'), 'An identity for programs.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  secrets: opt(2, list(objectReference, ['name']), 'Secrets that programs running as this account may use.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
  imagePullSecrets: opt(3, list(localObjectReference), 'Secrets for pulling images.'),
  automountServiceAccountToken: ptr(4, 'bool', 'Whether a token is mounted into pods.'),
}))

export const localObjectReference: Message = message(
  v1('LocalObjectReference'),
  'Points to an object in the same namespace by name.',
  () => ({
    name: opt(1, 'string', 'Name of the object.'),
  }),
  { mapType: 'atomic' },
)

export const service: Message = root(v1('Service'), 'A stable name and address for a set of endpoints.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, serviceSpec, 'The desired state.'),
  status: opt(3, serviceStatus, 'What is observed.'),
}))

export const serviceSpec: Message = message(v1('ServiceSpec'), 'How a service is reached and what is behind it.', () => ({
  ports: opt(1, list(servicePort, ['port', 'protocol']), 'Ports that are exposed.', { patchStrategy: 'merge', patchMergeKey: 'port' }),
  selector: opt(2, map('string'), 'Labels of the pods behind the service.', { mapType: 'atomic' }),
  clusterIP: opt(3, 'string', 'Virtual address, or None.'),
  clusterIPs: opt(18, list('string'), 'Virtual addresses, one per family.'),
  type: opt(4, 'string', 'ClusterIP, NodePort, LoadBalancer or ExternalName.'),
  externalIPs: opt(5, list('string'), 'Addresses outside the cluster that lead here.'),
  sessionAffinity: opt(7, 'string', 'None or ClientIP.'),
  loadBalancerIP: opt(8, 'string', 'Address asked of the load balancer; deprecated.'),
  loadBalancerSourceRanges: opt(9, list('string'), 'Client ranges the load balancer lets through.'),
  externalName: opt(10, 'string', 'The external name that the Service is an alias for.'),
  externalTrafficPolicy: opt(11, 'string', 'Cluster or Local, for traffic from outside.'),
  healthCheckNodePort: opt(12, 'int32', 'Port for load balancer health checks.'),
  publishNotReadyAddresses: opt(13, 'bool', 'Whether endpoints that are not ready are published.'),
  sessionAffinityConfig: ptr(14, sessionAffinityConfig, 'Details of session affinity.'),
  ipFamilies: opt(19, list('string'), 'Address families, in order of preference.'),
  ipFamilyPolicy: ptr(17, 'string', 'SingleStack, PreferDualStack or RequireDualStack.'),
  allocateLoadBalancerNodePorts: ptr(20, 'bool', 'Whether a load balancer gets node ports.'),
  loadBalancerClass: ptr(21, 'string', 'Which load balancer implementation is meant.'),
  internalTrafficPolicy: ptr(22, 'string', 'Cluster or Local, for traffic from inside.'),
  trafficDistribution: ptr(23, 'string', 'Preference among endpoints.'),
}))

export const servicePort: Message = message(v1('ServicePort'), 'One port of a service.', () => ({
  name: opt(1, 'string', 'Name of the port; needed when there are several.'),
  protocol: opt(2, 'string', 'TCP, UDP or SCTP.', { default: 'TCP' }),
  appProtocol: ptr(6, 'string', 'Protocol of the application, as a hint.'),
  port: req(3, 'int32', 'Port that is exposed.'),
  targetPort: opt(4, 'intOrString', 'Port number or name at the endpoint.'),
  nodePort: opt(5, 'int32', 'Port on every node.'),
}))

export const sessionAffinityConfig: Message = message(v1('SessionAffinityConfig'), 'Details of session affinity.', () => ({
  clientIP: ptr(1, clientIPConfig, 'For affinity by client address.'),
}))

export const clientIPConfig: Message = message(v1('ClientIPConfig'), 'Affinity by client address.', () => ({
  timeoutSeconds: ptr(1, 'int32', 'How long a session sticks.'),
}))

export const serviceStatus: Message = message(v1('ServiceStatus'), 'What is observed about a service.', () => ({
  loadBalancer: opt(1, loadBalancerStatus, 'State of the load balancer.'),
  conditions: opt(2, list(condition, ['type']), 'Findings about the service.', { patchStrategy: 'merge', patchMergeKey: 'type' }),
}))

export const loadBalancerStatus: Message = message(v1('LoadBalancerStatus'), 'State of a load balancer.', () => ({
  ingress: opt(1, list(loadBalancerIngress), 'Points where traffic enters.'),
}))

export const loadBalancerIngress: Message = message(v1('LoadBalancerIngress'), 'One point where traffic enters.', () => ({
  ip: opt(1, 'string', 'Address of the entry.'),
  hostname: opt(2, 'string', 'Host name of the entry.'),
  ipMode: ptr(3, 'string', 'VIP or Proxy.'),
  ports: opt(4, list(portStatus), 'State of each port.'),
}))

export const portStatus: Message = message(v1('PortStatus'), 'State of one port of a load balancer.', () => ({
  port: req(1, 'int32', 'Port number.'),
  protocol: req(2, 'string', 'Protocol of the port.'),
  error: ptr(3, 'string', 'What is wrong with it, as a reason.'),
}))

export const resourceQuota: Message = root(v1('ResourceQuota'), 'Limits what a namespace may use in total.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, resourceQuotaSpec, 'The desired state.'),
  status: opt(3, resourceQuotaStatus, 'What is observed.'),
}))

export const resourceQuotaSpec: Message = message(v1('ResourceQuotaSpec'), 'The limits.', () => ({
  hard: opt(1, map('quantity'), 'The limit of each resource.'),
  scopes: opt(2, list('string'), 'What counts towards the limits; all must match.'),
  scopeSelector: ptr(3, scopeSelector, 'What counts, by requirement on scopes.'),
}))

export const scopeSelector: Message = message(
  v1('ScopeSelector'),
  'Selects by requirements on scopes.',
  () => ({
    matchExpressions: opt(1, list(scopedResourceSelectorRequirement), 'The requirements, all of which must match.'),
  }),
  { mapType: 'atomic' },
)

export const scopedResourceSelectorRequirement: Message = message(
  v1('ScopedResourceSelectorRequirement'),
  'A requirement on one scope.',
  () => ({
    scopeName: req(1, 'string', 'Name of the scope.'),
    operator: req(2, 'string', 'In, NotIn, Exists or DoesNotExist.'),
    values: opt(3, list('string'), 'Values for In and NotIn.'),
  }),
)

export const resourceQuotaStatus: Message = message(v1('ResourceQuotaStatus'), 'Limits in force and what is used.', () => ({
  hard: opt(1, map('quantity'), 'Limits in force.'),
  used: opt(2, map('quantity'), 'What is used now.'),
}))
