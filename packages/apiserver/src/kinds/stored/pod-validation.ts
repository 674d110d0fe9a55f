import { type FieldError, field, indexPath, isDns1123Label } from '@weft/api'
import { at, isSet, listAt, numberAt, textAt } from '../read.ts'

const RESTART = ['Always', 'OnFailure', 'Never']
const DNS = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const PULL = ['Always', 'IfNotPresent', 'Never']

/**
 * What a pod cannot do without. Much of what kube-apiserver checks besides is about how pods run, and nothing runs
 * them here.
 */
export function podSpecErrors(spec: unknown, path: string): FieldError[] {
  const volumes = listAt(spec, 'volumes')
  const containers = listAt(spec, 'containers')
  const first = listAt(spec, 'initContainers')
  const known = new Set([...volumes.map((volume) => textAt(volume, 'name'))])
  const names = new Set<string>()
  const restart = textAt(spec, 'restartPolicy')
  const dns = textAt(spec, 'dnsPolicy')
  return [
    ...volumes.flatMap((volume, i) => sourceErrors(volume, indexPath(`${path}.volumes`, i))),
    ...namedErrors(volumes, `${path}.volumes`, new Set()),
    ...(containers.length === 0 ? [field.required(`${path}.containers`, '')] : []),
    ...containers.flatMap((container, i) => containerErrors(container, indexPath(`${path}.containers`, i), known)),
    ...namedErrors(containers, `${path}.containers`, names),
    ...first.flatMap((container, i) => containerErrors(container, indexPath(`${path}.initContainers`, i), known)),
    ...namedErrors(first, `${path}.initContainers`, names),
    ...(restart === '' || RESTART.includes(restart) ? [] : [field.notSupported(`${path}.restartPolicy`, restart, RESTART)]),
    ...(dns === '' || DNS.includes(dns) ? [] : [field.notSupported(`${path}.dnsPolicy`, dns, DNS)]),
  ]
}

/** In the order in which they are looked at. */
const SOURCES = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi', 'glusterfs', 'flocker'],
  ...['persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile'],
  ...[
    'vsphereVolume',
    'photonPersistentDisk',
    'portworxVolume',
    'azureDisk',
    'storageos',
    'projected',
    'scaleIO',
    'csi',
    'ephemeral',
    'image',
  ],
]

function sourceErrors(volume: unknown, path: string): FieldError[] {
  const [, ...others] = SOURCES.filter((name) => isSet(at(volume, name)))
  return others.map((name) => field.forbidden(`${path}.${name}`, 'may not specify more than 1 volume type'))
}

function namedErrors(items: readonly unknown[], path: string, names: Set<string>): FieldError[] {
  return items.flatMap((item, i) => {
    const at_ = `${indexPath(path, i)}.name`
    const name = textAt(item, 'name')
    if (name === '') return [field.required(at_, '')]
    if (names.has(name)) return [field.duplicate(at_, name)]
    names.add(name)
    return isDns1123Label(name).map((why) => field.invalid(at_, name, why))
  })
}

function containerErrors(container: unknown, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const image = textAt(container, 'image')
  const policy = textAt(container, 'imagePullPolicy')
  return [
    ...(image === '' ? [field.required(`${path}.image`, '')] : []),
    ...(image === image.trim() ? [] : [field.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')]),
    ...(policy === '' || PULL.includes(policy) ? [] : [field.notSupported(`${path}.imagePullPolicy`, policy, PULL)]),
    ...portErrors(listAt(container, 'ports'), `${path}.ports`),
    ...listAt(container, 'volumeMounts').flatMap((mount, i) => mountErrors(mount, indexPath(`${path}.volumeMounts`, i), volumes)),
  ]
}

function portErrors(ports: readonly unknown[], path: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const name = textAt(port, 'name')
    const number = numberAt(port, 'containerPort') ?? 0
    const twice = name !== '' && names.has(name)
    names.add(name)
    return [
      ...(twice ? [field.duplicate(`${indexPath(path, i)}.name`, name)] : []),
      ...(number === 0 ? [field.required(`${indexPath(path, i)}.containerPort`, '')] : []),
    ]
  })
}

function mountErrors(mount: unknown, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const name = textAt(mount, 'name')
  return [
    ...(name === '' ? [field.required(`${path}.name`, '')] : []),
    ...(name === '' || volumes.has(name) ? [] : [field.notFound(`${path}.name`, name)]),
    ...(textAt(mount, 'mountPath') === '' ? [field.required(`${path}.mountPath`, '')] : []),
  ]
}

/** Of a template whose pods are replaced when they end. */
export function templateErrors(template: unknown, path: string, kind: string): FieldError[] {
  const restart = textAt(template, 'spec', 'restartPolicy')
  return [
    ...podSpecErrors(at(template, 'spec'), `${path}.spec`),
    ...(restart === 'Always' ? [] : [field.notSupported(`${path}.spec.restartPolicy`, restart, ['Always'])]),
    ...(isSet(at(template, 'spec', 'activeDeadlineSeconds'))
      ? [field.forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]
      : []),
  ]
}
