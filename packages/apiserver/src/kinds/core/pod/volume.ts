import { type Message, inline, list, map, message, opt, ptr, req } from '../../message.ts'
import { labelSelector, objectMeta } from '../../meta.ts'
import { localObjectReference } from '../messages.ts'
import { objectFieldSelector, resourceFieldSelector } from './container.ts'

/** What pods can mount. */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const volume: Message = message(v1('Volume'), 'Something that containers can mount.', () => ({
  name: req(1, 'string', 'Name.'),
  volumeSource: inline(2, volumeSource),
}))

export const volumeSource: Message = message(
  v1('VolumeSource'),
  'Where the content of a volume comes from; exactly one field is set.',
  () => ({
    hostPath: ptr(1, hostPathVolumeSource),
    emptyDir: ptr(2, emptyDirVolumeSource),
    gcePersistentDisk: ptr(3, gcePersistentDiskVolumeSource),
    awsElasticBlockStore: ptr(4, awsElasticBlockStoreVolumeSource),
    gitRepo: ptr(5, gitRepoVolumeSource),
    secret: ptr(6, secretVolumeSource),
    nfs: ptr(7, nfsVolumeSource),
    iscsi: ptr(8, iscsiVolumeSource),
    glusterfs: ptr(9, glusterfsVolumeSource),
    persistentVolumeClaim: ptr(10, persistentVolumeClaimVolumeSource),
    rbd: ptr(11, rbdVolumeSource),
    flexVolume: ptr(12, flexVolumeSource),
    cinder: ptr(13, cinderVolumeSource),
    cephfs: ptr(14, cephFSVolumeSource),
    flocker: ptr(15, flockerVolumeSource),
    downwardAPI: ptr(16, downwardAPIVolumeSource),
    fc: ptr(17, fcVolumeSource),
    azureFile: ptr(18, azureFileVolumeSource),
    configMap: ptr(19, configMapVolumeSource),
    vsphereVolume: ptr(20, vsphereVirtualDiskVolumeSource),
    quobyte: ptr(21, quobyteVolumeSource),
    azureDisk: ptr(22, azureDiskVolumeSource),
    photonPersistentDisk: ptr(23, photonPersistentDiskVolumeSource),
    projected: ptr(26, projectedVolumeSource),
    portworxVolume: ptr(24, portworxVolumeSource),
    scaleIO: ptr(25, scaleIOVolumeSource),
    storageos: ptr(27, storageOSVolumeSource),
    csi: ptr(28, csiVolumeSource),
    ephemeral: ptr(29, ephemeralVolumeSource),
    image: ptr(30, imageVolumeSource, 'Image to run.'),
  }),
)

export const hostPathVolumeSource: Message = message(v1('HostPathVolumeSource'), 'A path of the node.', () => ({
  path: req(1, 'string', 'Path.'),
  type: ptr(2, 'string', 'Type.'),
}))

export const emptyDirVolumeSource: Message = message(
  v1('EmptyDirVolumeSource'),
  'An empty directory that lives as long as the pod.',
  () => ({
    medium: opt(1, 'string', "Where it is kept; Memory or the node's disk."),
    sizeLimit: ptr(2, 'quantity', 'Greatest size.'),
  }),
)

export const gcePersistentDiskVolumeSource: Message = message(
  v1('GCEPersistentDiskVolumeSource'),
  'A disk of Google Compute Engine.',
  () => ({
    pdName: req(1, 'string'),
    fsType: opt(2, 'string', 'File system of the volume.'),
    partition: opt(3, 'int32', 'Number of the partition.'),
    readOnly: opt(4, 'bool', 'Whether it is mounted read-only.'),
  }),
)

export const awsElasticBlockStoreVolumeSource: Message = message(
  v1('AWSElasticBlockStoreVolumeSource'),
  "A disk of Amazon's Elastic Block Store.",
  () => ({
    volumeID: req(1, 'string', 'Identity of the volume.'),
    fsType: opt(2, 'string', 'File system of the volume.'),
    partition: opt(3, 'int32', 'Number of the partition.'),
    readOnly: opt(4, 'bool', 'Whether it is mounted read-only.'),
  }),
)

export const gitRepoVolumeSource: Message = message(v1('GitRepoVolumeSource'), 'A clone of a Git repository; deprecated.', () => ({
  repository: req(1, 'string'),
  revision: opt(2, 'string'),
  directory: opt(3, 'string'),
}))

export const secretVolumeSource: Message = message(v1('SecretVolumeSource'), 'Entries of a secret as files.', () => ({
  secretName: opt(1, 'string', 'Name of the secret.'),
  items: opt(2, list(keyToPath), 'Entries and the files they go to; all when empty.'),
  defaultMode: ptr(3, 'int32', 'File mode bits unless an entry says otherwise.'),
  optional: ptr(4, 'bool', 'Whether it may be missing.'),
}))

export const keyToPath: Message = message(v1('KeyToPath'), 'Puts one entry into one file.', () => ({
  key: req(1, 'string', 'Key.'),
  path: req(2, 'string', 'Path.'),
  mode: ptr(3, 'int32', 'File mode bits.'),
}))

export const nfsVolumeSource: Message = message(v1('NFSVolumeSource'), 'A directory of an NFS server.', () => ({
  server: req(1, 'string'),
  path: req(2, 'string', 'Path.'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
}))

export const iscsiVolumeSource: Message = message(v1('ISCSIVolumeSource'), 'A disk reached by iSCSI.', () => ({
  targetPortal: req(1, 'string'),
  iqn: req(2, 'string'),
  lun: req(3, 'int32'),
  iscsiInterface: opt(4, 'string', '', { default: 'default' }),
  fsType: opt(5, 'string', 'File system of the volume.'),
  readOnly: opt(6, 'bool', 'Whether it is mounted read-only.'),
  portals: opt(7, list('string')),
  chapAuthDiscovery: opt(8, 'bool'),
  chapAuthSession: opt(11, 'bool'),
  secretRef: ptr(10, localObjectReference, 'Secret with the credentials.'),
  initiatorName: ptr(12, 'string'),
}))

export const glusterfsVolumeSource: Message = message(v1('GlusterfsVolumeSource'), 'A Gluster volume.', () => ({
  endpoints: req(1, 'string'),
  path: req(2, 'string', 'Path.'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
}))

export const persistentVolumeClaimVolumeSource: Message = message(
  v1('PersistentVolumeClaimVolumeSource'),
  'A claimed persistent volume.',
  () => ({
    claimName: req(1, 'string', 'Name of the claim.'),
    readOnly: opt(2, 'bool', 'Whether it is mounted read-only.'),
  }),
)

export const rbdVolumeSource: Message = message(v1('RBDVolumeSource'), 'A block device of Ceph.', () => ({
  monitors: req(1, list('string'), 'Monitors of the cluster.'),
  image: req(2, 'string', 'Image to run.'),
  fsType: opt(3, 'string', 'File system of the volume.'),
  pool: opt(4, 'string', '', { default: 'rbd' }),
  user: opt(5, 'string', 'User to act as.', { default: 'admin' }),
  keyring: opt(6, 'string', '', { default: '/etc/ceph/keyring' }),
  secretRef: ptr(7, localObjectReference, 'Secret with the credentials.'),
  readOnly: opt(8, 'bool', 'Whether it is mounted read-only.'),
}))

export const flexVolumeSource: Message = message(v1('FlexVolumeSource'), 'A volume of a FlexVolume driver; deprecated.', () => ({
  driver: req(1, 'string', 'Name of the driver.'),
  fsType: opt(2, 'string', 'File system of the volume.'),
  secretRef: ptr(3, localObjectReference, 'Secret with the credentials.'),
  readOnly: opt(4, 'bool', 'Whether it is mounted read-only.'),
  options: opt(5, map('string'), 'Options.'),
}))

export const cinderVolumeSource: Message = message(v1('CinderVolumeSource'), 'A disk of OpenStack Cinder.', () => ({
  volumeID: req(1, 'string', 'Identity of the volume.'),
  fsType: opt(2, 'string', 'File system of the volume.'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
  secretRef: ptr(4, localObjectReference, 'Secret with the credentials.'),
}))

export const cephFSVolumeSource: Message = message(v1('CephFSVolumeSource'), 'A CephFS directory.', () => ({
  monitors: req(1, list('string'), 'Monitors of the cluster.'),
  path: opt(2, 'string', 'Path.'),
  user: opt(3, 'string', 'User to act as.'),
  secretFile: opt(4, 'string'),
  secretRef: ptr(5, localObjectReference, 'Secret with the credentials.'),
  readOnly: opt(6, 'bool', 'Whether it is mounted read-only.'),
}))

export const flockerVolumeSource: Message = message(v1('FlockerVolumeSource'), 'A Flocker dataset.', () => ({
  datasetName: opt(1, 'string'),
  datasetUUID: opt(2, 'string'),
}))

export const downwardAPIVolumeSource: Message = message(v1('DownwardAPIVolumeSource'), 'Facts about the pod as files.', () => ({
  items: opt(1, list(downwardAPIVolumeFile), 'Entries and the files they go to; all when empty.'),
  defaultMode: ptr(2, 'int32', 'File mode bits unless an entry says otherwise.'),
}))

export const downwardAPIVolumeFile: Message = message(v1('DownwardAPIVolumeFile'), 'One fact in one file.', () => ({
  path: req(1, 'string', 'Path.'),
  fieldRef: ptr(2, objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: ptr(3, resourceFieldSelector, 'A resource of a container.'),
  mode: ptr(4, 'int32', 'File mode bits.'),
}))

export const fcVolumeSource: Message = message(v1('FCVolumeSource'), 'A disk reached by Fibre Channel.', () => ({
  targetWWNs: opt(1, list('string')),
  lun: ptr(2, 'int32'),
  fsType: opt(3, 'string', 'File system of the volume.'),
  readOnly: opt(4, 'bool', 'Whether it is mounted read-only.'),
  wwids: opt(5, list('string')),
}))

export const azureFileVolumeSource: Message = message(v1('AzureFileVolumeSource'), 'A share of Azure Files.', () => ({
  secretName: req(1, 'string', 'Name of the secret.'),
  shareName: req(2, 'string'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
}))

export const configMapVolumeSource: Message = message(v1('ConfigMapVolumeSource'), 'Entries of a config map as files.', () => ({
  localObjectReference: inline(1, localObjectReference),
  items: opt(2, list(keyToPath), 'Entries and the files they go to; all when empty.'),
  defaultMode: ptr(3, 'int32', 'File mode bits unless an entry says otherwise.'),
  optional: ptr(4, 'bool', 'Whether it may be missing.'),
}))

export const vsphereVirtualDiskVolumeSource: Message = message(v1('VsphereVirtualDiskVolumeSource'), 'A vSphere disk.', () => ({
  volumePath: req(1, 'string'),
  fsType: opt(2, 'string', 'File system of the volume.'),
  storagePolicyName: opt(3, 'string'),
  storagePolicyID: opt(4, 'string'),
}))

export const quobyteVolumeSource: Message = message(v1('QuobyteVolumeSource'), 'A Quobyte volume.', () => ({
  registry: req(1, 'string'),
  volume: req(2, 'string'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
  user: opt(4, 'string', 'User to act as.'),
  group: opt(5, 'string', 'Group to act as.'),
  tenant: opt(6, 'string'),
}))

export const azureDiskVolumeSource: Message = message(v1('AzureDiskVolumeSource'), 'A disk of Azure.', () => ({
  diskName: req(1, 'string'),
  diskURI: req(2, 'string'),
  cachingMode: ptr(3, 'string', '', { default: 'ReadWrite' }),
  fsType: ptr(4, 'string', 'File system of the volume.', { default: 'ext4' }),
  readOnly: ptr(5, 'bool', 'Whether it is mounted read-only.'),
  kind: ptr(6, 'string', 'Kind.', { default: 'Shared' }),
}))

export const photonPersistentDiskVolumeSource: Message = message(
  v1('PhotonPersistentDiskVolumeSource'),
  'A disk of the Photon controller.',
  () => ({
    pdID: req(1, 'string'),
    fsType: opt(2, 'string', 'File system of the volume.'),
  }),
)

export const projectedVolumeSource: Message = message(v1('ProjectedVolumeSource'), 'Several sources in one volume.', () => ({
  sources: opt(1, list(volumeProjection), 'The sources.'),
  defaultMode: ptr(2, 'int32', 'File mode bits unless an entry says otherwise.'),
}))

export const volumeProjection: Message = message(v1('VolumeProjection'), 'One source of a projected volume.', () => ({
  secret: ptr(1, secretProjection),
  downwardAPI: ptr(2, downwardAPIProjection),
  configMap: ptr(3, configMapProjection),
  serviceAccountToken: ptr(4, serviceAccountTokenProjection),
  clusterTrustBundle: ptr(5, clusterTrustBundleProjection),
  podCertificate: ptr(6, podCertificateProjection),
}))

export const secretProjection: Message = message(v1('SecretProjection'), 'Entries of a secret in a projected volume.', () => ({
  localObjectReference: inline(1, localObjectReference),
  items: opt(2, list(keyToPath), 'Entries and the files they go to; all when empty.'),
  optional: ptr(4, 'bool', 'Whether it may be missing.'),
}))

export const downwardAPIProjection: Message = message(v1('DownwardAPIProjection'), 'Facts about the pod in a projected volume.', () => ({
  items: opt(1, list(downwardAPIVolumeFile), 'Entries and the files they go to; all when empty.'),
}))

export const configMapProjection: Message = message(v1('ConfigMapProjection'), 'Entries of a config map in a projected volume.', () => ({
  localObjectReference: inline(1, localObjectReference),
  items: opt(2, list(keyToPath), 'Entries and the files they go to; all when empty.'),
  optional: ptr(4, 'bool', 'Whether it may be missing.'),
}))

export const serviceAccountTokenProjection: Message = message(
  v1('ServiceAccountTokenProjection'),
  "A token of the pod's service account.",
  () => ({
    audience: opt(1, 'string', 'Who the token is meant for.'),
    expirationSeconds: ptr(2, 'int64', 'How long it is wanted for.'),
    path: req(3, 'string', 'Path.'),
  }),
)

export const clusterTrustBundleProjection: Message = message(v1('ClusterTrustBundleProjection'), 'Certificates of trust bundles.', () => ({
  name: ptr(1, 'string', 'Name.'),
  signerName: ptr(2, 'string', 'Who signs.'),
  labelSelector: ptr(3, labelSelector, 'Selects by label.'),
  optional: ptr(5, 'bool', 'Whether it may be missing.'),
  path: req(4, 'string', 'Path.'),
}))

export const podCertificateProjection: Message = message(
  v1('PodCertificateProjection'),
  'A key and a certificate made for the pod.',
  () => ({
    signerName: opt(1, 'string', 'Who signs.', { required: true }),
    keyType: opt(2, 'string', '', { required: true }),
    maxExpirationSeconds: ptr(3, 'int32'),
    credentialBundlePath: opt(4, 'string'),
    keyPath: opt(5, 'string'),
    certificateChainPath: opt(6, 'string'),
    userAnnotations: opt(7, map('string')),
  }),
)

export const portworxVolumeSource: Message = message(v1('PortworxVolumeSource'), 'A Portworx volume.', () => ({
  volumeID: req(1, 'string', 'Identity of the volume.'),
  fsType: opt(2, 'string', 'File system of the volume.'),
  readOnly: opt(3, 'bool', 'Whether it is mounted read-only.'),
}))

export const scaleIOVolumeSource: Message = message(v1('ScaleIOVolumeSource'), 'A ScaleIO volume.', () => ({
  gateway: req(1, 'string'),
  system: req(2, 'string'),
  secretRef: ptr(3, localObjectReference, 'Secret with the credentials.', { required: true }),
  sslEnabled: opt(4, 'bool'),
  protectionDomain: opt(5, 'string'),
  storagePool: opt(6, 'string'),
  storageMode: opt(7, 'string', '', { default: 'ThinProvisioned' }),
  volumeName: opt(8, 'string', 'Name of the volume.'),
  fsType: opt(9, 'string', 'File system of the volume.', { default: 'xfs' }),
  readOnly: opt(10, 'bool', 'Whether it is mounted read-only.'),
}))

export const storageOSVolumeSource: Message = message(v1('StorageOSVolumeSource'), 'A StorageOS volume.', () => ({
  volumeName: opt(1, 'string', 'Name of the volume.'),
  volumeNamespace: opt(2, 'string'),
  fsType: opt(3, 'string', 'File system of the volume.'),
  readOnly: opt(4, 'bool', 'Whether it is mounted read-only.'),
  secretRef: ptr(5, localObjectReference, 'Secret with the credentials.'),
}))

export const csiVolumeSource: Message = message(v1('CSIVolumeSource'), 'A volume of a CSI driver.', () => ({
  driver: req(1, 'string', 'Name of the driver.'),
  readOnly: ptr(2, 'bool', 'Whether it is mounted read-only.'),
  fsType: ptr(3, 'string', 'File system of the volume.'),
  volumeAttributes: opt(4, map('string'), 'Attributes for the driver.'),
  nodePublishSecretRef: ptr(5, localObjectReference),
}))

export const ephemeralVolumeSource: Message = message(v1('EphemeralVolumeSource'), 'A claim that lives as long as the pod.', () => ({
  volumeClaimTemplate: ptr(1, persistentVolumeClaimTemplate, 'The claim to make.'),
}))

export const persistentVolumeClaimTemplate: Message = message(v1('PersistentVolumeClaimTemplate'), 'The claim to make.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, persistentVolumeClaimSpec, 'What is wanted.'),
}))

export const persistentVolumeClaimSpec: Message = message(v1('PersistentVolumeClaimSpec'), 'What storage is claimed.', () => ({
  accessModes: opt(1, list('string'), 'How the volume may be mounted.'),
  selector: ptr(4, labelSelector, 'Selects by label.'),
  resources: opt(2, volumeResourceRequirements, 'Resources needed and allowed.'),
  volumeName: opt(3, 'string', 'Name of the volume.'),
  storageClassName: ptr(5, 'string', 'Class of the storage.'),
  volumeMode: ptr(6, 'string', 'Filesystem or Block.'),
  dataSource: ptr(7, typedLocalObjectReference, 'What the volume is filled from.'),
  dataSourceRef: ptr(8, typedObjectReference, 'What the volume is filled from, perhaps in another namespace.'),
  volumeAttributesClassName: ptr(9, 'string'),
}))

export const volumeResourceRequirements: Message = message(v1('VolumeResourceRequirements'), 'How much storage is claimed.', () => ({
  limits: opt(1, map('quantity'), 'Most that may be used.'),
  requests: opt(2, map('quantity'), 'Least that is needed.'),
}))

export const typedLocalObjectReference: Message = message(
  v1('TypedLocalObjectReference'),
  'Points to an object of some kind in the same namespace.',
  () => ({
    apiGroup: ptr(1, 'string', 'Group of the object.'),
    kind: req(2, 'string', 'Kind.'),
    name: req(3, 'string', 'Name.'),
  }),
  { mapType: 'atomic' },
)

export const typedObjectReference: Message = message(
  v1('TypedObjectReference'),
  'Points to an object of some kind, perhaps in another namespace.',
  () => ({
    apiGroup: ptr(1, 'string', 'Group of the object.'),
    kind: req(2, 'string', 'Kind.'),
    name: req(3, 'string', 'Name.'),
    namespace: ptr(4, 'string', 'Namespace.'),
  }),
)

export const imageVolumeSource: Message = message(v1('ImageVolumeSource'), 'The content of an image.', () => ({
  reference: opt(1, 'string', 'Reference of the image.'),
  pullPolicy: opt(2, 'string', 'Always, Never or IfNotPresent.'),
}))
