/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const networking: string = `
io.k8s.api.networking.v1
HTTPIngressPath
  path 1 string; pathType! 3 *string; backend! 2 IngressBackend
HTTPIngressRuleValue
  paths! 1 []HTTPIngressPath atomic
IPAddress typed
  metadata 1 meta.ObjectMeta; spec+ 2 IPAddressSpec
IPAddressSpec
  parentRef+ 1 *ParentReference
IPBlock
  cidr! 1 string; except 2 []string atomic
Ingress typed
  metadata 1 meta.ObjectMeta; spec 2 IngressSpec; status 3 IngressStatus
IngressBackend
  service 4 *IngressServiceBackend; resource 3 *core.TypedLocalObjectReference
IngressClass typed
  metadata 1 meta.ObjectMeta; spec 2 IngressClassSpec
IngressClassParametersReference
  apiGroup 1 *string; kind! 2 string; name! 3 string; scope 4 *string; namespace 5 *string
IngressClassSpec
  controller 1 string; parameters 2 *IngressClassParametersReference
IngressLoadBalancerIngress
  ip 1 string; hostname 2 string; ports 4 []IngressPortStatus atomic
IngressLoadBalancerStatus
  ingress 1 []IngressLoadBalancerIngress atomic
IngressPortStatus
  port! 1 int32; protocol! 2 string; error 3 *string
IngressRule
  host 1 string; ... 2 IngressRuleValue
IngressRuleValue
  http 1 *HTTPIngressRuleValue
IngressServiceBackend
  name! 1 string; port 2 ServiceBackendPort
IngressSpec
  ingressClassName 4 *string; defaultBackend 1 *IngressBackend; tls 2 []IngressTLS atomic; rules 3 []IngressRule atomic
IngressStatus
  loadBalancer 1 IngressLoadBalancerStatus
IngressTLS
  hosts 1 []string atomic; secretName 2 string
NetworkPolicy typed
  metadata 1 meta.ObjectMeta; spec 2 NetworkPolicySpec
NetworkPolicyEgressRule
  ports 1 []NetworkPolicyPort atomic; to 2 []NetworkPolicyPeer atomic
NetworkPolicyIngressRule
  ports 1 []NetworkPolicyPort atomic; from 2 []NetworkPolicyPeer atomic
NetworkPolicyPeer
  podSelector 1 *meta.LabelSelector; namespaceSelector 2 *meta.LabelSelector; ipBlock 3 *IPBlock
NetworkPolicyPort
  protocol 1 *string; port 2 *intOrString; endPort 3 *int32
NetworkPolicySpec
  podSelector~ 1 meta.LabelSelector; ingress 2 []NetworkPolicyIngressRule atomic; egress 3 []NetworkPolicyEgressRule atomic
  policyTypes 4 []string atomic
ParentReference
  group 1 string; resource+ 2 string; namespace 3 string; name+ 4 string
ServiceBackendPort atomic
  name 1 string; number 2 int32
ServiceCIDR typed
  metadata 1 meta.ObjectMeta; spec 2 ServiceCIDRSpec; status 3 ServiceCIDRStatus
ServiceCIDRSpec
  cidrs 1 []string atomic
ServiceCIDRStatus
  conditions 1 []meta.Condition key=type patch=merge:type
`
