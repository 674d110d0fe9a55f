import { anyObject, anything, bool, type GoType, int, list, mapOf, quantity, struct, text, time } from './typed.ts'

/**
 * Kubernetes' own types, for those kinds that are read into one. Complete but for what is deep in a pod's spec and in its containers' states:
 * there a list must be one and an object one, and no more is asked.
 */
const texts = list(text)
const textMap = mapOf(text)
const objects = list(anyObject)
const quantities = mapOf(quantity)

/** Fields by their type: `{ text: 'a b' }` are two texts. */
const fields = (type: GoType, names: string): Record<string, GoType> => Object.fromEntries(names.split(' ').map((name) => [name, type]))

const objectMeta = struct({
  ...fields(text, 'name generateName namespace selfLink uid resourceVersion'),
  ...fields(int, 'generation deletionGracePeriodSeconds'),
  ...fields(time, 'creationTimestamp deletionTimestamp'),
  ...fields(textMap, 'labels annotations'),
  ownerReferences: list(struct({ ...fields(text, 'apiVersion kind name uid'), ...fields(bool, 'controller blockOwnerDeletion') })),
  finalizers: texts,
  managedFields: list(struct({ ...fields(text, 'manager operation apiVersion fieldsType subresource'), time, fieldsV1: anything })),
})

const conditions = (times: string): GoType => list(struct({ ...fields(text, 'type status reason message'), ...fields(time, times) }))

const selector = struct({
  matchLabels: textMap,
  matchExpressions: list(struct({ ...fields(text, 'key operator'), values: texts })),
})

const resources = struct({ ...fields(quantities, 'limits requests'), claims: objects })

const containers = list(
  struct({
    ...fields(
      text,
      'name image workingDir restartPolicy terminationMessagePath terminationMessagePolicy imagePullPolicy targetContainerName',
    ),
    ...fields(texts, 'command args'),
    ports: list(struct({ ...fields(text, 'name protocol hostIP'), ...fields(int, 'hostPort containerPort') })),
    env: list(struct({ ...fields(text, 'name value'), valueFrom: anyObject })),
    ...fields(objects, 'envFrom resizePolicy restartPolicyRules volumeDevices'),
    resources,
    volumeMounts: list(
      struct({ ...fields(text, 'name mountPath subPath mountPropagation subPathExpr recursiveReadOnly'), readOnly: bool }),
    ),
    ...fields(anyObject, 'livenessProbe readinessProbe startupProbe lifecycle securityContext'),
    ...fields(bool, 'stdin stdinOnce tty'),
  }),
)

const podSpec = struct({
  ...fields(objects, 'volumes tolerations hostAliases readinessGates topologySpreadConstraints schedulingGates resourceClaims'),
  ...fields(containers, 'initContainers containers ephemeralContainers'),
  ...fields(text, 'restartPolicy dnsPolicy serviceAccountName serviceAccount nodeName hostname subdomain schedulerName'),
  ...fields(text, 'priorityClassName runtimeClassName preemptionPolicy hostnameOverride'),
  ...fields(int, 'terminationGracePeriodSeconds activeDeadlineSeconds priority'),
  ...fields(bool, 'automountServiceAccountToken hostNetwork hostPID hostIPC shareProcessNamespace'),
  ...fields(bool, 'enableServiceLinks setHostnameAsFQDN hostUsers'),
  ...fields(anyObject, 'securityContext affinity dnsConfig schedulingGroup'),
  nodeSelector: textMap,
  imagePullSecrets: list(struct({ name: text })),
  overhead: quantities,
  os: struct({ name: text }),
  resources,
})

const podTemplate = struct({ metadata: objectMeta, spec: podSpec })

const containerStatuses = list(
  struct({
    ...fields(text, 'name image imageID containerID stopSignal'),
    ...fields(bool, 'ready started'),
    restartCount: int,
    ...fields(
      struct({
        waiting: struct(fields(text, 'reason message')),
        running: struct({ startedAt: time }),
        terminated: struct({
          ...fields(int, 'exitCode signal'),
          ...fields(text, 'reason message containerID'),
          ...fields(time, 'startedAt finishedAt'),
        }),
      }),
      'state lastState',
    ),
    allocatedResources: quantities,
    resources,
    user: anyObject,
    ...fields(objects, 'volumeMounts allocatedResourcesStatus'),
  }),
)

const addresses = list(struct({ ip: text }))

export const pod: GoType = struct({
  metadata: objectMeta,
  spec: podSpec,
  status: struct({
    observedGeneration: int,
    ...fields(text, 'phase message reason nominatedNodeName hostIP podIP qosClass resize'),
    conditions: list(
      struct({
        ...fields(text, 'type status reason message'),
        observedGeneration: int,
        ...fields(time, 'lastProbeTime lastTransitionTime'),
      }),
    ),
    ...fields(addresses, 'hostIPs podIPs'),
    startTime: time,
    ...fields(containerStatuses, 'initContainerStatuses containerStatuses ephemeralContainerStatuses'),
    resourceClaimStatuses: list(struct(fields(text, 'name resourceClaimName'))),
    extendedResourceClaimStatus: struct({ requestMappings: objects, resourceClaimName: text }),
    allocatedResources: quantities,
    resources,
    nodeAllocatableResourceClaimStatuses: list(struct({ resourceClaimName: text, containers: texts, resources: quantities })),
  }),
})

export const persistentVolumeClaim: GoType = struct({
  metadata: objectMeta,
  spec: struct({
    accessModes: texts,
    selector,
    resources: struct(fields(quantities, 'limits requests')),
    ...fields(text, 'volumeName storageClassName volumeMode volumeAttributesClassName'),
    dataSource: struct(fields(text, 'apiGroup kind name')),
    dataSourceRef: struct(fields(text, 'apiGroup kind name namespace')),
  }),
  status: struct({
    ...fields(text, 'phase currentVolumeAttributesClassName'),
    accessModes: texts,
    ...fields(quantities, 'capacity allocatedResources'),
    conditions: conditions('lastProbeTime lastTransitionTime'),
    allocatedResourceStatuses: textMap,
    modifyVolumeStatus: struct(fields(text, 'targetVolumeAttributesClassName status')),
  }),
})

export const replicaSet: GoType = struct({
  metadata: objectMeta,
  spec: struct({ ...fields(int, 'replicas minReadySeconds'), selector, template: podTemplate }),
  status: struct({
    ...fields(int, 'replicas fullyLabeledReplicas readyReplicas availableReplicas terminatingReplicas observedGeneration'),
    conditions: conditions('lastTransitionTime'),
  }),
})

const jobSpec = struct({
  ...fields(
    int,
    'parallelism completions activeDeadlineSeconds backoffLimit backoffLimitPerIndex maxFailedIndexes ttlSecondsAfterFinished',
  ),
  podFailurePolicy: struct({ rules: objects }),
  successPolicy: struct({ rules: list(struct({ succeededIndexes: text, succeededCount: int })) }),
  selector,
  ...fields(bool, 'manualSelector suspend'),
  template: podTemplate,
  ...fields(text, 'completionMode podReplacementPolicy managedBy'),
})

export const job: GoType = struct({
  metadata: objectMeta,
  spec: jobSpec,
  status: struct({
    conditions: conditions('lastProbeTime lastTransitionTime'),
    ...fields(time, 'startTime completionTime'),
    ...fields(int, 'active succeeded failed terminating ready'),
    ...fields(text, 'completedIndexes failedIndexes'),
    uncountedTerminatedPods: struct(fields(texts, 'succeeded failed')),
  }),
})

export const cronJob: GoType = struct({
  metadata: objectMeta,
  spec: struct({
    ...fields(text, 'schedule timeZone concurrencyPolicy'),
    ...fields(int, 'startingDeadlineSeconds successfulJobsHistoryLimit failedJobsHistoryLimit'),
    suspend: bool,
    jobTemplate: struct({ metadata: objectMeta, spec: jobSpec }),
  }),
  status: struct({
    active: list(struct(fields(text, 'kind namespace name uid apiVersion resourceVersion fieldPath'))),
    ...fields(time, 'lastScheduleTime lastSuccessfulTime'),
  }),
})

export const horizontalPodAutoscaler: GoType = struct({
  metadata: objectMeta,
  spec: struct({
    scaleTargetRef: struct(fields(text, 'kind name apiVersion')),
    ...fields(int, 'minReplicas maxReplicas'),
    metrics: objects,
    behavior: anyObject,
  }),
  status: struct({
    ...fields(int, 'observedGeneration currentReplicas desiredReplicas'),
    lastScaleTime: time,
    currentMetrics: objects,
    conditions: conditions('lastTransitionTime'),
  }),
})
