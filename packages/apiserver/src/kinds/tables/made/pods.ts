/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const pods: string = `
io.k8s.api.core.v1
AWSElasticBlockStoreVolumeSource
  volumeID! 1 string; fsType 2 string; partition 3 int32; readOnly 4 bool
Affinity
  nodeAffinity 1 *NodeAffinity; podAffinity 2 *PodAffinity; podAntiAffinity 3 *PodAntiAffinity
AppArmorProfile
  type! 1 string; localhostProfile 2 *string
AzureDiskVolumeSource
  diskName! 1 string; diskURI! 2 string; cachingMode 3 *string ="ReadWrite"; fsType 4 *string ="ext4"; readOnly 5 *bool =false
  kind 6 *string ="Shared"
AzureFileVolumeSource
  secretName! 1 string; shareName! 2 string; readOnly 3 bool
CSIVolumeSource
  driver! 1 string; readOnly 2 *bool; fsType 3 *string; volumeAttributes 4 {}string; nodePublishSecretRef 5 *LocalObjectReference
Capabilities
  add 1 []string atomic; drop 2 []string atomic
CephFSVolumeSource
  monitors! 1 []string atomic; path 2 string; user 3 string; secretFile 4 string; secretRef 5 *LocalObjectReference; readOnly 6 bool
CinderVolumeSource
  volumeID! 1 string; fsType 2 string; readOnly 3 bool; secretRef 4 *LocalObjectReference
ClusterTrustBundleProjection
  name 1 *string; signerName 2 *string; labelSelector 3 *meta.LabelSelector; optional 5 *bool; path! 4 string
ConfigMapEnvSource
  ... 1 LocalObjectReference; optional 2 *bool
ConfigMapKeySelector atomic
  ... 1 LocalObjectReference; key! 2 string; optional 3 *bool
ConfigMapProjection
  ... 1 LocalObjectReference; items 2 []KeyToPath atomic; optional 4 *bool
ConfigMapVolumeSource
  ... 1 LocalObjectReference; items 2 []KeyToPath atomic; defaultMode 3 *int32; optional 4 *bool
Container
  name! 1 string; image 2 string; command 3 []string atomic; args 4 []string atomic; workingDir 5 string
  ports 6 []ContainerPort key=containerPort,protocol patch=merge:containerPort; envFrom 19 []EnvFromSource atomic
  env 7 []EnvVar key=name patch=merge:name; resources 8 ResourceRequirements; resizePolicy 23 []ContainerResizePolicy atomic
  restartPolicy 24 *string; restartPolicyRules 25 []ContainerRestartRule atomic
  volumeMounts 9 []VolumeMount key=mountPath patch=merge:mountPath
  volumeDevices 21 []VolumeDevice key=devicePath patch=merge:devicePath; livenessProbe 10 *Probe; readinessProbe 11 *Probe
  startupProbe 22 *Probe; lifecycle 12 *Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string
  imagePullPolicy 14 string; securityContext 15 *SecurityContext; stdin 16 bool; stdinOnce 17 bool; tty 18 bool
ContainerPort
  name 1 string; hostPort 2 int32; containerPort! 3 int32; protocol 4 string ="TCP"; hostIP 5 string
ContainerResizePolicy
  resourceName! 1 string; restartPolicy! 2 string
ContainerRestartRule
  action+ 1 string; exitCodes 2 *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes
  operator+ 1 string; values 2 []int32 set
DownwardAPIProjection
  items 1 []DownwardAPIVolumeFile atomic
DownwardAPIVolumeFile
  path! 1 string; fieldRef 2 *ObjectFieldSelector; resourceFieldRef 3 *ResourceFieldSelector; mode 4 *int32
DownwardAPIVolumeSource
  items 1 []DownwardAPIVolumeFile atomic; defaultMode 2 *int32
EmptyDirVolumeSource
  medium 1 string; sizeLimit 2 *quantity
EnvFromSource
  prefix 1 string; configMapRef 2 *ConfigMapEnvSource; secretRef 3 *SecretEnvSource
EnvVar
  name! 1 string; value 2 string; valueFrom 3 *EnvVarSource
EnvVarSource
  fieldRef 1 *ObjectFieldSelector; resourceFieldRef 2 *ResourceFieldSelector; configMapKeyRef 3 *ConfigMapKeySelector
  secretKeyRef 4 *SecretKeySelector; fileKeyRef 5 *FileKeySelector
EphemeralContainer
  ... 1 EphemeralContainerCommon; targetContainerName 2 string
EphemeralContainerCommon
  name! 1 string; image 2 string; command 3 []string atomic; args 4 []string atomic; workingDir 5 string
  ports 6 []ContainerPort key=containerPort,protocol patch=merge:containerPort; envFrom 19 []EnvFromSource atomic
  env 7 []EnvVar key=name patch=merge:name; resources 8 ResourceRequirements; resizePolicy 23 []ContainerResizePolicy atomic
  restartPolicy 24 *string; restartPolicyRules 25 []ContainerRestartRule atomic
  volumeMounts 9 []VolumeMount key=mountPath patch=merge:mountPath
  volumeDevices 21 []VolumeDevice key=devicePath patch=merge:devicePath; livenessProbe 10 *Probe; readinessProbe 11 *Probe
  startupProbe 22 *Probe; lifecycle 12 *Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string
  imagePullPolicy 14 string; securityContext 15 *SecurityContext; stdin 16 bool; stdinOnce 17 bool; tty 18 bool
EphemeralVolumeSource
  volumeClaimTemplate 1 *PersistentVolumeClaimTemplate
ExecAction
  command 1 []string atomic
FCVolumeSource
  targetWWNs 1 []string atomic; lun 2 *int32; fsType 3 string; readOnly 4 bool; wwids 5 []string atomic
FileKeySelector atomic
  volumeName! 1 string; path! 2 string; key! 3 string; optional 4 *bool =false
FlexVolumeSource
  driver! 1 string; fsType 2 string; secretRef 3 *LocalObjectReference; readOnly 4 bool; options 5 {}string
FlockerVolumeSource
  datasetName 1 string; datasetUUID 2 string
GCEPersistentDiskVolumeSource
  pdName! 1 string; fsType 2 string; partition 3 int32; readOnly 4 bool
GRPCAction
  port! 1 int32; service 2 *string =""
GitRepoVolumeSource
  repository! 1 string; revision 2 string; directory 3 string
GlusterfsVolumeSource
  endpoints! 1 string; path! 2 string; readOnly 3 bool
HTTPGetAction
  path 1 string; port! 2 intOrString; host 3 string; scheme 4 string; httpHeaders 5 []HTTPHeader atomic
HTTPHeader
  name! 1 string; value! 2 string
HostAlias
  ip! 1 string; hostnames 2 []string atomic
HostPathVolumeSource
  path! 1 string; type 2 *string
ISCSIVolumeSource
  targetPortal! 1 string; iqn! 2 string; lun! 3 int32; iscsiInterface 4 string ="default"; fsType 5 string; readOnly 6 bool
  portals 7 []string atomic; chapAuthDiscovery 8 bool; chapAuthSession 11 bool; secretRef 10 *LocalObjectReference
  initiatorName 12 *string
ImageVolumeSource
  reference 1 string; pullPolicy 2 string
KeyToPath
  key! 1 string; path! 2 string; mode 3 *int32
Lifecycle
  postStart 1 *LifecycleHandler; preStop 2 *LifecycleHandler; stopSignal 3 *string
LifecycleHandler
  exec 1 *ExecAction; httpGet 2 *HTTPGetAction; tcpSocket 3 *TCPSocketAction; sleep 4 *SleepAction
NFSVolumeSource
  server! 1 string; path! 2 string; readOnly 3 bool
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 *NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm atomic
NodeSelector atomic
  nodeSelectorTerms! 1 []NodeSelectorTerm atomic
NodeSelectorRequirement
  key! 1 string; operator! 2 string; values 3 []string atomic
NodeSelectorTerm atomic
  matchExpressions 1 []NodeSelectorRequirement atomic; matchFields 2 []NodeSelectorRequirement atomic
ObjectFieldSelector atomic
  apiVersion 1 string; fieldPath! 2 string
PersistentVolumeClaimSpec
  accessModes 1 []string atomic; selector 4 *meta.LabelSelector; resources 2 VolumeResourceRequirements; volumeName 3 string
  storageClassName 5 *string; volumeMode 6 *string; dataSource 7 *TypedLocalObjectReference; dataSourceRef 8 *TypedObjectReference
  volumeAttributesClassName 9 *string
PersistentVolumeClaimTemplate
  metadata 1 meta.ObjectMeta; spec! 2 PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource
  claimName! 1 string; readOnly 2 bool
PhotonPersistentDiskVolumeSource
  pdID! 1 string; fsType 2 string
PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm atomic
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm atomic
PodAffinityTerm
  labelSelector 1 *meta.LabelSelector; namespaces 2 []string atomic; topologyKey! 3 string; namespaceSelector 4 *meta.LabelSelector
  matchLabelKeys 5 []string atomic; mismatchLabelKeys 6 []string atomic
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm atomic
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm atomic
PodCertificateProjection
  signerName+ 1 string; keyType+ 2 string; maxExpirationSeconds 3 *int32; credentialBundlePath 4 string; keyPath 5 string
  certificateChainPath 6 string; userAnnotations 7 {}string
PodDNSConfig
  nameservers 1 []string atomic; searches 2 []string atomic; options 3 []PodDNSConfigOption atomic
PodDNSConfigOption
  name 1 string; value 2 *string
PodOS
  name! 1 string
PodReadinessGate
  conditionType! 1 string
PodResourceClaim
  name! 1 string; resourceClaimName 3 *string; resourceClaimTemplateName 4 *string
PodSchedulingGate
  name! 1 string
PodSchedulingGroup
  podGroupName 1 *string
PodSecurityContext
  seLinuxOptions 1 *SELinuxOptions; windowsOptions 8 *WindowsSecurityContextOptions; runAsUser 2 *int64; runAsGroup 6 *int64
  runAsNonRoot 3 *bool; supplementalGroups 4 []int64 atomic; supplementalGroupsPolicy 12 *string; fsGroup 5 *int64
  sysctls 7 []Sysctl atomic; fsGroupChangePolicy 9 *string; seccompProfile 10 *SeccompProfile; appArmorProfile 11 *AppArmorProfile
  seLinuxChangePolicy 13 *string
PodSpec
  volumes 1 []Volume key=name patch=merge,retainKeys:name; initContainers 20 []Container key=name patch=merge:name
  containers! 2 []Container key=name patch=merge:name; ephemeralContainers 34 []EphemeralContainer key=name patch=merge:name
  restartPolicy 3 string; terminationGracePeriodSeconds 4 *int64; activeDeadlineSeconds 5 *int64; dnsPolicy 6 string
  nodeSelector 7 {}string atomic; serviceAccountName 8 string; serviceAccount 9 string; automountServiceAccountToken 21 *bool
  nodeName 10 string; hostNetwork 11 bool; hostPID 12 bool; hostIPC 13 bool; shareProcessNamespace 27 *bool
  securityContext 14 *PodSecurityContext; imagePullSecrets 15 []LocalObjectReference key=name patch=merge:name; hostname 16 string
  subdomain 17 string; affinity 18 *Affinity; schedulerName 19 string; tolerations 22 []Toleration atomic
  hostAliases 23 []HostAlias key=ip patch=merge:ip; priorityClassName 24 string; priority 25 *int32; dnsConfig 26 *PodDNSConfig
  readinessGates 28 []PodReadinessGate atomic; runtimeClassName 29 *string; enableServiceLinks 30 *bool; preemptionPolicy 31 *string
  overhead 32 {}quantity
  topologySpreadConstraints 33 []TopologySpreadConstraint key=topologyKey,whenUnsatisfiable patch=merge:topologyKey
  setHostnameAsFQDN 35 *bool; os 36 *PodOS; hostUsers 37 *bool; schedulingGates 38 []PodSchedulingGate key=name patch=merge:name
  resourceClaims 39 []PodResourceClaim key=name patch=merge,retainKeys:name; resources 40 *ResourceRequirements
  hostnameOverride 41 *string; schedulingGroup 43 *PodSchedulingGroup
PodTemplate typed
  metadata 1 meta.ObjectMeta; template 2 PodTemplateSpec
PodTemplateSpec
  metadata 1 meta.ObjectMeta; spec 2 PodSpec
PortworxVolumeSource
  volumeID! 1 string; fsType 2 string; readOnly 3 bool
PreferredSchedulingTerm
  weight! 1 int32; preference! 2 NodeSelectorTerm
Probe
  ... 1 ProbeHandler; initialDelaySeconds 2 int32; timeoutSeconds 3 int32; periodSeconds 4 int32; successThreshold 5 int32
  failureThreshold 6 int32; terminationGracePeriodSeconds 7 *int64
ProbeHandler
  exec 1 *ExecAction; httpGet 2 *HTTPGetAction; tcpSocket 3 *TCPSocketAction; grpc 4 *GRPCAction
ProjectedVolumeSource
  sources~ 1 []VolumeProjection atomic; defaultMode 2 *int32
QuobyteVolumeSource
  registry! 1 string; volume! 2 string; readOnly 3 bool; user 4 string; group 5 string; tenant 6 string
RBDVolumeSource
  monitors! 1 []string atomic; image! 2 string; fsType 3 string; pool 4 string ="rbd"; user 5 string ="admin"
  keyring 6 string ="/etc/ceph/keyring"; secretRef 7 *LocalObjectReference; readOnly 8 bool
ResourceClaim
  name! 1 string; request 2 string
ResourceFieldSelector atomic
  containerName 1 string; resource! 2 string; divisor 3 quantity
ResourceRequirements
  limits 1 {}quantity; requests 2 {}quantity; claims 3 []ResourceClaim key=name
SELinuxOptions
  user 1 string; role 2 string; type 3 string; level 4 string
ScaleIOVolumeSource
  gateway! 1 string; system! 2 string; secretRef! 3 *LocalObjectReference; sslEnabled 4 bool; protectionDomain 5 string
  storagePool 6 string; storageMode 7 string ="ThinProvisioned"; volumeName 8 string; fsType 9 string ="xfs"; readOnly 10 bool
SeccompProfile
  type! 1 string; localhostProfile 2 *string
SecretEnvSource
  ... 1 LocalObjectReference; optional 2 *bool
SecretKeySelector atomic
  ... 1 LocalObjectReference; key! 2 string; optional 3 *bool
SecretProjection
  ... 1 LocalObjectReference; items 2 []KeyToPath atomic; optional 4 *bool
SecretVolumeSource
  secretName 1 string; items 2 []KeyToPath atomic; defaultMode 3 *int32; optional 4 *bool
SecurityContext
  capabilities 1 *Capabilities; privileged 2 *bool; seLinuxOptions 3 *SELinuxOptions; windowsOptions 10 *WindowsSecurityContextOptions
  runAsUser 4 *int64; runAsGroup 8 *int64; runAsNonRoot 5 *bool; readOnlyRootFilesystem 6 *bool; allowPrivilegeEscalation 7 *bool
  procMount 9 *string; seccompProfile 11 *SeccompProfile; appArmorProfile 12 *AppArmorProfile
ServiceAccountTokenProjection
  audience 1 string; expirationSeconds 2 *int64; path! 3 string
SleepAction
  seconds! 1 int64
StorageOSVolumeSource
  volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 bool; secretRef 5 *LocalObjectReference
Sysctl
  name! 1 string; value! 2 string
TCPSocketAction
  port! 1 intOrString; host 2 string
Toleration
  key 1 string; operator 2 string; value 3 string; effect 4 string; tolerationSeconds 5 *int64
TopologySpreadConstraint
  maxSkew! 1 int32; topologyKey! 2 string; whenUnsatisfiable! 3 string; labelSelector 4 *meta.LabelSelector; minDomains 5 *int32
  nodeAffinityPolicy 6 *string; nodeTaintsPolicy 7 *string; matchLabelKeys 8 []string atomic
TypedLocalObjectReference atomic
  apiGroup 1 *string; kind! 2 string; name! 3 string
TypedObjectReference
  apiGroup 1 *string; kind! 2 string; name! 3 string; namespace 4 *string
Volume
  name! 1 string; ... 2 VolumeSource
VolumeDevice
  name! 1 string; devicePath! 2 string
VolumeMount
  name! 1 string; readOnly 2 bool; recursiveReadOnly 7 *string; mountPath! 3 string; subPath 4 string; mountPropagation 5 *string
  subPathExpr 6 string
VolumeProjection
  secret 1 *SecretProjection; downwardAPI 2 *DownwardAPIProjection; configMap 3 *ConfigMapProjection
  serviceAccountToken 4 *ServiceAccountTokenProjection; clusterTrustBundle 5 *ClusterTrustBundleProjection
  podCertificate 6 *PodCertificateProjection
VolumeResourceRequirements
  limits 1 {}quantity; requests 2 {}quantity
VolumeSource
  hostPath 1 *HostPathVolumeSource; emptyDir 2 *EmptyDirVolumeSource; gcePersistentDisk 3 *GCEPersistentDiskVolumeSource
  awsElasticBlockStore 4 *AWSElasticBlockStoreVolumeSource; gitRepo 5 *GitRepoVolumeSource; secret 6 *SecretVolumeSource
  nfs 7 *NFSVolumeSource; iscsi 8 *ISCSIVolumeSource; glusterfs 9 *GlusterfsVolumeSource
  persistentVolumeClaim 10 *PersistentVolumeClaimVolumeSource; rbd 11 *RBDVolumeSource; flexVolume 12 *FlexVolumeSource
  cinder 13 *CinderVolumeSource; cephfs 14 *CephFSVolumeSource; flocker 15 *FlockerVolumeSource; downwardAPI 16 *DownwardAPIVolumeSource
  fc 17 *FCVolumeSource; azureFile 18 *AzureFileVolumeSource; configMap 19 *ConfigMapVolumeSource
  vsphereVolume 20 *VsphereVirtualDiskVolumeSource; quobyte 21 *QuobyteVolumeSource; azureDisk 22 *AzureDiskVolumeSource
  photonPersistentDisk 23 *PhotonPersistentDiskVolumeSource; projected 26 *ProjectedVolumeSource
  portworxVolume 24 *PortworxVolumeSource; scaleIO 25 *ScaleIOVolumeSource; storageos 27 *StorageOSVolumeSource; csi 28 *CSIVolumeSource
  ephemeral 29 *EphemeralVolumeSource; image 30 *ImageVolumeSource
VsphereVirtualDiskVolumeSource
  volumePath! 1 string; fsType 2 string; storagePolicyName 3 string; storagePolicyID 4 string
WeightedPodAffinityTerm
  weight! 1 int32; podAffinityTerm! 2 PodAffinityTerm
WindowsSecurityContextOptions
  gmsaCredentialSpecName 1 *string; gmsaCredentialSpec 2 *string; runAsUserName 3 *string; hostProcess 4 *bool
`
