/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const storage: string = `
io.k8s.api.storage.v1
CSIDriver typed
  metadata 1 meta.ObjectMeta; spec! 2 CSIDriverSpec
CSIDriverSpec
  attachRequired 1 *bool; podInfoOnMount 2 *bool; volumeLifecycleModes 3 []string set; storageCapacity 4 *bool; fsGroupPolicy 5 *string
  tokenRequests 6 []TokenRequest atomic; requiresRepublish 7 *bool; seLinuxMount 8 *bool; nodeAllocatableUpdatePeriodSeconds 9 *int64
  serviceAccountTokenInSecrets 10 *bool; preventPodSchedulingIfMissing 11 *bool
CSINode typed
  metadata 1 meta.ObjectMeta; spec! 2 CSINodeSpec
CSINodeDriver
  name! 1 string; nodeID! 2 string; topologyKeys~ 3 []string atomic; allocatable 4 *VolumeNodeResources
CSINodeSpec
  drivers! 1 []CSINodeDriver key=name patch=merge:name
CSIStorageCapacity typed
  metadata 1 meta.ObjectMeta; nodeTopology 2 *meta.LabelSelector; storageClassName! 3 string; capacity 4 *quantity
  maximumVolumeSize 5 *quantity
StorageClass typed
  metadata 1 meta.ObjectMeta; provisioner! 2 string; parameters 3 {}string; reclaimPolicy 4 *string; mountOptions 5 []string atomic
  allowVolumeExpansion 6 *bool; volumeBindingMode 7 *string; allowedTopologies 8 []core.TopologySelectorTerm atomic
TokenRequest
  audience! 1 string; expirationSeconds 2 *int64
VolumeAttachment typed
  metadata 1 meta.ObjectMeta; spec! 2 VolumeAttachmentSpec; status 3 VolumeAttachmentStatus
VolumeAttachmentSource
  persistentVolumeName 1 *string; inlineVolumeSpec 2 *core.PersistentVolumeSpec
VolumeAttachmentSpec
  attacher! 1 string; source! 2 VolumeAttachmentSource; nodeName! 3 string
VolumeAttachmentStatus
  attached! 1 bool; attachmentMetadata 2 {}string; attachError 3 *VolumeError; detachError 4 *VolumeError
VolumeAttributesClass typed
  metadata 1 meta.ObjectMeta; driverName! 2 string; parameters 3 {}string
VolumeError
  time 1 time; message 2 string; errorCode 3 *int32
VolumeNodeResources
  count 1 *int32
`
