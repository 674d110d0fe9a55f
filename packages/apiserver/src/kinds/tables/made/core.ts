/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const core: string = `
io.k8s.api.core.v1
AttachedVolume
  name! 1 string; devicePath! 2 string
AzureFilePersistentVolumeSource
  secretName! 1 string; shareName! 2 string; readOnly 3 bool; secretNamespace 4 *string
Binding typed
  metadata 1 meta.ObjectMeta; target! 2 ObjectReference
CSIPersistentVolumeSource
  driver! 1 string; volumeHandle! 2 string; readOnly 3 bool; fsType 4 string; volumeAttributes 5 {}string
  controllerPublishSecretRef 6 *SecretReference; nodeStageSecretRef 7 *SecretReference; nodePublishSecretRef 8 *SecretReference
  controllerExpandSecretRef 9 *SecretReference; nodeExpandSecretRef 10 *SecretReference
CephFSPersistentVolumeSource
  monitors! 1 []string atomic; path 2 string; user 3 string; secretFile 4 string; secretRef 5 *SecretReference; readOnly 6 bool
CinderPersistentVolumeSource
  volumeID! 1 string; fsType 2 string; readOnly 3 bool; secretRef 4 *SecretReference
ConfigMapNodeConfigSource
  namespace! 1 string; name! 2 string; uid 3 string; resourceVersion 4 string; kubeletConfigKey! 5 string
ContainerExtendedResourceRequest
  containerName! 1 string; resourceName! 2 string; requestName! 3 string
ContainerImage
  names~ 1 []string atomic; sizeBytes 2 int64
ContainerState
  waiting 1 *ContainerStateWaiting; running 2 *ContainerStateRunning; terminated 3 *ContainerStateTerminated
ContainerStateRunning
  startedAt 1 time
ContainerStateTerminated
  exitCode! 1 int32; signal 2 int32; reason 3 string; message 4 string; startedAt 5 time; finishedAt 6 time; containerID 7 string
ContainerStateWaiting
  reason 1 string; message 2 string
ContainerStatus
  name! 1 string; state 2 ContainerState; lastState 3 ContainerState; ready! 4 bool; restartCount! 5 int32; image! 6 string
  imageID! 7 string; containerID 8 string; started 9 *bool; allocatedResources 10 {}quantity; resources 11 *ResourceRequirements
  volumeMounts 12 []VolumeMountStatus key=mountPath patch=merge:mountPath; user 13 *ContainerUser
  allocatedResourcesStatus 14 []ResourceStatus key=name patch=merge:name; stopSignal 15 *string
ContainerUser
  linux 1 *LinuxContainerUser
DaemonEndpoint
  Port! 1 int32
EndpointAddress atomic
  ip! 1 string; hostname 3 string; nodeName 4 *string; targetRef 2 *ObjectReference
EndpointPort atomic
  name 1 string; port! 2 int32; protocol 3 string; appProtocol 4 *string
EndpointSubset
  addresses 1 []EndpointAddress atomic; notReadyAddresses 2 []EndpointAddress atomic; ports 3 []EndpointPort atomic
Endpoints typed
  metadata 1 meta.ObjectMeta; subsets 2 []EndpointSubset atomic
FlexPersistentVolumeSource
  driver! 1 string; fsType 2 string; secretRef 3 *SecretReference; readOnly 4 bool; options 5 {}string
GlusterfsPersistentVolumeSource
  endpoints! 1 string; path! 2 string; readOnly 3 bool; endpointsNamespace 4 *string
HostIP
  ip! 1 string
ISCSIPersistentVolumeSource
  targetPortal! 1 string; iqn! 2 string; lun! 3 int32; iscsiInterface 4 string ="default"; fsType 5 string; readOnly 6 bool
  portals 7 []string atomic; chapAuthDiscovery 8 bool; chapAuthSession 11 bool; secretRef 10 *SecretReference; initiatorName 12 *string
ImageVolumeStatus
  imageRef+ 1 string
LimitRange typed
  metadata 1 meta.ObjectMeta; spec 2 LimitRangeSpec
LimitRangeItem
  type! 1 string; max 2 {}quantity; min 3 {}quantity; default 4 {}quantity; defaultRequest 5 {}quantity
  maxLimitRequestRatio 6 {}quantity
LimitRangeSpec
  limits! 1 []LimitRangeItem atomic
LinuxContainerUser
  uid! 1 int64; gid! 2 int64; supplementalGroups 3 []int64 atomic
LocalVolumeSource
  path! 1 string; fsType 2 *string
ModifyVolumeStatus
  targetVolumeAttributesClassName 1 string; status! 2 string
Node typed
  metadata 1 meta.ObjectMeta; spec 2 NodeSpec; status 3 NodeStatus
NodeAddress
  type! 1 string; address! 2 string
NodeAllocatableResourceClaimStatus
  resourceClaimName! 1 string; containers 2 []string set; resources! 3 {}quantity
NodeCondition
  type! 1 string; status! 2 string; lastHeartbeatTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string
NodeConfigSource
  configMap 2 *ConfigMapNodeConfigSource
NodeConfigStatus
  assigned 1 *NodeConfigSource; active 2 *NodeConfigSource; lastKnownGood 3 *NodeConfigSource; error 4 string
NodeDaemonEndpoints
  kubeletEndpoint 1 DaemonEndpoint
NodeFeatures
  supplementalGroupsPolicy 1 *bool
NodeRuntimeHandler
  name~ 1 string; features 2 *NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts 1 *bool; userNamespaces 2 *bool
NodeSpec
  podCIDR 1 string; podCIDRs 7 []string set patch=merge; providerID 3 string; unschedulable 4 bool; taints 5 []Taint atomic
  configSource 6 *NodeConfigSource; externalID 2 string
NodeStatus
  capacity 1 {}quantity; allocatable 2 {}quantity; phase 3 string; conditions 4 []NodeCondition key=type patch=merge:type
  addresses 5 []NodeAddress key=type patch=merge:type; daemonEndpoints 6 NodeDaemonEndpoints; nodeInfo 7 NodeSystemInfo
  images 8 []ContainerImage atomic; volumesInUse 9 []string atomic; volumesAttached 10 []AttachedVolume atomic
  config 11 *NodeConfigStatus; runtimeHandlers 12 []NodeRuntimeHandler atomic; features 13 *NodeFeatures
  declaredFeatures 14 []string atomic
NodeSwapStatus
  capacity 1 *int64
NodeSystemInfo
  machineID! 1 string; systemUUID! 2 string; bootID! 3 string; kernelVersion! 4 string; osImage! 5 string
  containerRuntimeVersion! 6 string; kubeletVersion! 7 string; kubeProxyVersion! 8 string; operatingSystem! 9 string
  architecture! 10 string; swap 11 *NodeSwapStatus
PersistentVolume typed
  metadata 1 meta.ObjectMeta; spec 2 PersistentVolumeSpec; status 3 PersistentVolumeStatus
PersistentVolumeClaim typed
  metadata 1 meta.ObjectMeta; spec 2 PersistentVolumeClaimSpec; status 3 PersistentVolumeClaimStatus
PersistentVolumeClaimCondition
  type! 1 string; status! 2 string; lastProbeTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string
PersistentVolumeClaimStatus
  phase 1 string; accessModes 2 []string atomic; capacity 3 {}quantity
  conditions 4 []PersistentVolumeClaimCondition key=type patch=merge:type; allocatedResources 5 {}quantity
  allocatedResourceStatuses 7 {}string granular; currentVolumeAttributesClassName 8 *string; modifyVolumeStatus 9 *ModifyVolumeStatus
PersistentVolumeSource
  gcePersistentDisk 1 *GCEPersistentDiskVolumeSource; awsElasticBlockStore 2 *AWSElasticBlockStoreVolumeSource
  hostPath 3 *HostPathVolumeSource; glusterfs 4 *GlusterfsPersistentVolumeSource; nfs 5 *NFSVolumeSource
  rbd 6 *RBDPersistentVolumeSource; iscsi 7 *ISCSIPersistentVolumeSource; cinder 8 *CinderPersistentVolumeSource
  cephfs 9 *CephFSPersistentVolumeSource; fc 10 *FCVolumeSource; flocker 11 *FlockerVolumeSource
  flexVolume 12 *FlexPersistentVolumeSource; azureFile 13 *AzureFilePersistentVolumeSource
  vsphereVolume 14 *VsphereVirtualDiskVolumeSource; quobyte 15 *QuobyteVolumeSource; azureDisk 16 *AzureDiskVolumeSource
  photonPersistentDisk 17 *PhotonPersistentDiskVolumeSource; portworxVolume 18 *PortworxVolumeSource
  scaleIO 19 *ScaleIOPersistentVolumeSource; local 20 *LocalVolumeSource; storageos 21 *StorageOSPersistentVolumeSource
  csi 22 *CSIPersistentVolumeSource
PersistentVolumeSpec
  capacity 1 {}quantity; ... 2 PersistentVolumeSource; accessModes 3 []string atomic; claimRef 4 *ObjectReference granular
  persistentVolumeReclaimPolicy 5 string; storageClassName 6 string; mountOptions 7 []string atomic; volumeMode 8 *string
  nodeAffinity 9 *VolumeNodeAffinity; volumeAttributesClassName 10 *string
PersistentVolumeStatus
  phase 1 string; message 2 string; reason 3 string; lastPhaseTransitionTime 4 *time
Pod typed
  metadata 1 meta.ObjectMeta; spec 2 PodSpec; status 3 PodStatus
PodCondition
  type! 1 string; observedGeneration 7 int64; status! 2 string; lastProbeTime 3 time; lastTransitionTime 4 time; reason 5 string
  message 6 string
PodExtendedResourceClaimStatus
  requestMappings! 1 []ContainerExtendedResourceRequest atomic; resourceClaimName! 2 string
PodIP
  ip! 1 string
PodResourceClaimStatus
  name! 1 string; resourceClaimName 2 *string
PodStatus
  observedGeneration 17 int64; phase 1 string; conditions 2 []PodCondition key=type patch=merge:type; message 3 string; reason 4 string
  nominatedNodeName 11 string; hostIP 5 string; hostIPs 16 []HostIP atomic patch=merge:ip; podIP 6 string
  podIPs 12 []PodIP key=ip patch=merge:ip; startTime 7 *time; initContainerStatuses 10 []ContainerStatus atomic
  containerStatuses 8 []ContainerStatus atomic; qosClass 9 string; ephemeralContainerStatuses 13 []ContainerStatus atomic
  resize 14 string; resourceClaimStatuses 15 []PodResourceClaimStatus key=name patch=merge,retainKeys:name
  extendedResourceClaimStatus 18 *PodExtendedResourceClaimStatus; allocatedResources 19 {}quantity; resources 20 *ResourceRequirements
  nodeAllocatableResourceClaimStatuses 21 []NodeAllocatableResourceClaimStatus atomic
RBDPersistentVolumeSource
  monitors! 1 []string atomic; image! 2 string; fsType 3 string; pool 4 string ="rbd"; user 5 string ="admin"
  keyring 6 string ="/etc/ceph/keyring"; secretRef 7 *SecretReference; readOnly 8 bool
ReplicationController typed
  metadata 1 meta.ObjectMeta; spec 2 ReplicationControllerSpec; status 3 ReplicationControllerStatus
ReplicationControllerCondition
  type! 1 string; status! 2 string; lastTransitionTime 3 time; reason 4 string; message 5 string
ReplicationControllerSpec
  replicas 1 *int32 =1; minReadySeconds 4 int32 =0; selector 2 {}string atomic; template 3 *PodTemplateSpec
ReplicationControllerStatus
  replicas! 1 int32; fullyLabeledReplicas 2 int32; readyReplicas 4 int32; availableReplicas 5 int32; observedGeneration 3 int64
  conditions 6 []ReplicationControllerCondition key=type patch=merge:type
ResourceHealth
  resourceID! 1 string; health 2 string; message 6 *string
ResourceStatus
  name! 1 string; resources 2 []ResourceHealth key=resourceID
ScaleIOPersistentVolumeSource
  gateway! 1 string; system! 2 string; secretRef! 3 *SecretReference; sslEnabled 4 bool; protectionDomain 5 string; storagePool 6 string
  storageMode 7 string ="ThinProvisioned"; volumeName 8 string; fsType 9 string ="xfs"; readOnly 10 bool
SecretReference atomic
  name 1 string; namespace 2 string
StorageOSPersistentVolumeSource
  volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 bool; secretRef 5 *ObjectReference
Taint
  key! 1 string; value 2 string; effect! 3 string; timeAdded 4 *time
TopologySelectorLabelRequirement
  key! 1 string; values! 2 []string atomic
TopologySelectorTerm atomic
  matchLabelExpressions 1 []TopologySelectorLabelRequirement atomic
VolumeMountStatus
  name! 1 string; mountPath! 2 string; readOnly 3 bool; recursiveReadOnly 4 *string; volumeStatus 5 *VolumeStatus
VolumeNodeAffinity
  required 1 *NodeSelector
VolumeStatus
  image 1 *ImageVolumeStatus
`
