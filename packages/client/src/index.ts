/**
 * A client of any Kubernetes API: typed and dynamic requests over a `Transport` (HTTP to a real server, in process to the embedded one), informers that
 * keep what they have seen, kubeconfig files. It decides nothing; controllers, providers and the command line import it.
 */
export { abortable, eitherSignal } from './abortable.ts'
export type * from './client.ts'
export { type BackoffOptions, backoffDelay, type Clock, type Random, sleep, systemClock } from './clock.ts'
export { ManualClock } from './manual-clock.ts'
export { type ClientOptions, createClient } from './create-client.ts'
export { CredentialError, type CredentialErrorCode } from './credentials/credentials.ts'
export type { ExecPlugin } from './credentials/exec-plugin.ts'
export { discover, type ServedKind } from './discovery/discovery.ts'
export { createRestMapper, type Mapping, type RestMapper, type RestMapperOptions } from './discovery/rest-mapper.ts'
export { createForwarder, type ForwardAnswer, type Forwarder, type ForwardRequest } from './http/forwarder.ts'
export type { HttpTransportOptions } from './http/http-options.ts'
export { httpTransport } from './http/http-transport.ts'
export { defineKind, isOfKind, type Kind, type ObjectRef, type StaticKind } from './kind.ts'
export { inClusterConfig } from './kubeconfig/in-cluster.ts'
export { type ConnectionConfig, loadKubeconfig, type LoadOptions, parseKubeconfig } from './kubeconfig/kubeconfig.ts'
export { KubeconfigError, type KubeconfigErrorCode } from './kubeconfig/kubeconfig-file.ts'
export { type EncodedRequest, encodeRequest, encodeWatch } from './transport/encode-request.ts'
export { ConnectionError, isUnknownResource, NoMatchError, statusErrorOf } from './transport/errors.ts'
export { impersonationHeaders } from './transport/impersonation.ts'
export type * from './transport/transport.ts'
export { askFunction } from './function-questions.ts'
export { askDefinition, askPlans, askStates } from './terraform-questions.ts'
export { newSealingPair, seal, type SealingPair, sealingPairFrom, unseal } from './sealed.ts'
export * from './well-known-kinds.ts'
export * from './weft-kinds.ts'
export { cacheKey, type Change, type IndexFunction } from './informer/cache.ts'
export { createInformer, type InformerOptions } from './informer/create-informer.ts'
export type { Informer, InformerReader, InformerReport, InformerSource } from './informer/informer.ts'
export { compareResourceVersions } from './informer/resource-version.ts'
export {
  createSharedInformers,
  formatScope,
  scopeKey,
  type InformerLease,
  type InformerScope,
  type SharedInformers,
  type SharedInformersOptions,
} from './informer/shared-informers.ts'
export type { InformerProblem, InformerState } from './informer/states.ts'
