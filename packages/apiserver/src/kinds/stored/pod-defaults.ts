import { isJsonObject } from '@weft/api'
import { isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import { constants, type Filling, type Values } from './fill.ts'

const FILE_MODE = 0o644
const HOUR_SECONDS = 3600

/** Of pods, their templates, nodes and volumes. */
export const podDefaults: Readonly<Record<string, Filling>> = {
  Pod: withPodDefaults,
  PodSpec: constants({
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  }),
  Container: withContainerDefaults,
  EphemeralContainer: withContainerDefaults,
  Probe: constants({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: constants({ path: '/', scheme: 'HTTP' }),
  Volume: (volume) => (Object.keys(volume).every((name) => name === 'name') ? { ...volume, emptyDir: {} } : withPullPolicyOfImage(volume)),
  SecretVolumeSource: constants({ defaultMode: FILE_MODE }),
  ConfigMapVolumeSource: constants({ defaultMode: FILE_MODE }),
  DownwardAPIVolumeSource: constants({ defaultMode: FILE_MODE }),
  ProjectedVolumeSource: constants({ defaultMode: FILE_MODE }),
  ServiceAccountTokenProjection: constants({ expirationSeconds: HOUR_SECONDS }),
  HostPathVolumeSource: constants({ type: '' }),
  ObjectFieldSelector: constants({ apiVersion: 'v1' }),
  PodStatus: withAddresses,
  ReplicationController: withTemplateLabels,
  ReplicationControllerSpec: constants({ replicas: 1 }),
  PersistentVolumeSpec: constants({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
  PersistentVolumeStatus: constants({ phase: 'Pending' }),
  PersistentVolumeClaimSpec: constants({ volumeMode: 'Filesystem' }),
  PersistentVolumeClaimStatus: constants({ phase: 'Pending' }),
  EndpointPort: constants({ protocol: 'TCP' }),
  NodeStatus: (status) =>
    !isSet(status['allocatable']) && isSet(status['capacity']) ? { ...status, allocatable: status['capacity'] } : status,
  LimitRangeItem: withLimitDefaults,
}

function withContainerDefaults(container: Values): Values {
  return constants({
    imagePullPolicy: pullPolicyOf(textAt(container, 'image')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  })(container)
}

function withPullPolicyOfImage(volume: Values): Values {
  const image = recordAt(volume, 'image')
  if (!isSet(volume['image']) || textAt(image, 'pullPolicy') !== '') return volume
  return { ...volume, image: { ...image, pullPolicy: pullPolicyOf(textAt(image, 'reference')) } }
}

/** What has no tag and no digest is the latest, and the latest is asked for anew each time. */
function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1)
  const tag = name.includes('@') ? '' : name.includes(':') ? name.slice(name.indexOf(':') + 1) : 'latest'
  return tag === 'latest' && image !== '' ? 'Always' : 'IfNotPresent'
}

function withPodDefaults(pod: Values): Values {
  const spec = recordAt(pod, 'spec')
  const onHost = spec['hostNetwork'] === true
  const containers = (name: string): object => {
    const given = listAt(spec, name)
    return given.length === 0
      ? {}
      : { [name]: given.map((item) => (isJsonObject(item) ? withRequests(onHost ? withHostPorts(item) : item) : item)) }
  }
  return {
    ...pod,
    spec: { ...spec, ...containers('containers'), ...containers('initContainers'), enableServiceLinks: spec['enableServiceLinks'] ?? true },
  }
}

/** What is limited and not asked for is asked for up to its limit. */
function withRequests(container: Values): Values {
  const limits = recordAt(container, 'resources', 'limits')
  if (Object.keys(limits).length === 0) return container
  const resources = recordAt(container, 'resources')
  return { ...container, resources: { ...resources, requests: { ...limits, ...recordAt(resources, 'requests') } } }
}

const withHostPorts = (container: Values): Values => ({
  ...container,
  ...(isSet(container['ports']) && {
    ports: listAt(container, 'ports').map((port) =>
      isJsonObject(port) && (numberAt(port, 'hostPort') ?? 0) === 0 ? { ...port, hostPort: port['containerPort'] } : port,
    ),
  }),
})

/** The first address has a field of its own. */
function withAddresses(status: Values): Values {
  const [first] = listAt(status, 'podIPs')
  if (first !== undefined) return { ...status, podIP: textAt(first, 'ip') }
  return textAt(status, 'podIP') === '' ? status : { ...status, podIPs: [{ ip: status['podIP'] }] }
}

function withTemplateLabels(controller: Values): Values {
  const labels = recordAt(controller, 'spec', 'template', 'metadata', 'labels')
  if (Object.keys(labels).length === 0) return controller
  const spec = recordAt(controller, 'spec')
  const metadata = recordAt(controller, 'metadata')
  return {
    ...controller,
    ...(Object.keys(recordAt(metadata, 'labels')).length === 0 && { metadata: { ...metadata, labels } }),
    ...(Object.keys(recordAt(spec, 'selector')).length === 0 && { spec: { ...spec, selector: labels } }),
  }
}

function withLimitDefaults(item: Values): Values {
  if (textAt(item, 'type') !== 'Container') return item
  const limits = { ...recordAt(item, 'max'), ...recordAt(item, 'default') }
  const requests = { ...recordAt(item, 'min'), ...limits, ...recordAt(item, 'defaultRequest') }
  return {
    ...item,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  }
}
