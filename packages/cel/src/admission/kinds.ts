import { BOOL, DYN, INT, STRING, TIMESTAMP, listType, mapType } from '../types/type.ts'
import { typedObject, type TypedObject } from './typed-object.ts'

/** The types of `request` and `namespaceObject`, so that a misspelt field is found when a policy is written. */
const TEXTS = listType(STRING)
const groupVersionKind = typedObject('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING })
const groupVersionResource = typedObject('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING })
const userInfo = typedObject('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: TEXTS, extra: mapType(STRING, TEXTS) })

export const ADMISSION_REQUEST: TypedObject = typedObject('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: STRING,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo,
  dryRun: BOOL,
  options: DYN,
})

export const NAMESPACE: TypedObject = typedObject('kubernetes.Namespace', {
  metadata: typedObject('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapType(STRING, STRING),
    annotations: mapType(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: TEXTS,
  }),
  spec: typedObject('kubernetes.NamespaceSpec', { finalizers: TEXTS }),
  status: typedObject('kubernetes.NamespaceStatus', { phase: STRING }),
})
