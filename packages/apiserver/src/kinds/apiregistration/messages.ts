import { type Message, list, message, opt, ptr, req, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `apiregistration.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.${kind}`

export const apiService: Message = root(v1('APIService'), 'Says who serves a version of an API group.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, apiServiceSpec, 'The desired state.'),
  status: opt(3, apiServiceStatus, 'What is observed.'),
}))

export const apiServiceSpec: Message = message(v1('APIServiceSpec'), 'Which version, and who serves it.', () => ({
  service: ptr(1, serviceReference, 'Service that serves it; empty for this server.'),
  group: opt(2, 'string', 'API group.'),
  version: opt(3, 'string', 'Version of the group.'),
  insecureSkipTLSVerify: opt(4, 'bool', "Whether the service's certificate goes unchecked."),
  caBundle: opt(5, 'bytes', "Certificates that the service's own is checked against, in PEM."),
  groupPriorityMinimum: req(7, 'int32', 'Place of the group among groups; higher is first.'),
  versionPriority: req(8, 'int32', 'Place of the version within the group; higher is first.'),
}))

export const serviceReference: Message = message(v1('ServiceReference'), 'Points to a service.', () => ({
  namespace: opt(1, 'string', 'Namespace of the service.'),
  name: opt(2, 'string', 'Name of the service.'),
  port: ptr(3, 'int32', 'Port to call.'),
}))

export const apiServiceStatus: Message = message(v1('APIServiceStatus'), 'State of the service behind a version.', () => ({
  conditions: opt(1, list(apiServiceCondition, ['type']), 'Findings about it.', { patchStrategy: 'merge', patchMergeKey: 'type' }),
}))

export const apiServiceCondition: Message = message(v1('APIServiceCondition'), 'One finding about an API service.', () => ({
  type: req(1, 'string', 'Which aspect this is about.'),
  status: req(2, 'string', 'True, False or Unknown.'),
  lastTransitionTime: opt(3, 'time', 'When the status last changed.'),
  reason: opt(4, 'string', 'Machine-readable cause, in CamelCase.'),
  message: opt(5, 'string', 'Explanation for people.'),
}))
