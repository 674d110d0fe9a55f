/**
 * Everything a provider needs: implement ExternalClient for a kind, describe the kinds (`defineProvider`), ship a package.
 * docs/writing-a-provider.md is the guide, providers/nop the model.
 */
export { specOf } from '@weft/api'
export {
  type ConnectionDetails,
  ConnectionSecretError,
  type ConnectionSecretErrorCode,
  type ConnectionStore,
  connectionStoreOf,
  detailText,
} from './connection/connection-store.ts'
export { externalName } from '@weft/composition'
export type { ConnectContext, Connector, ReleaseContext } from './external/connector.ts'
export {
  type Credentials,
  CredentialsError,
  type CredentialsErrorCode,
  type CredentialSource,
  resolveCredentials,
} from './external/credentials.ts'
export type { CallContext, Change, Creation, ExternalClient, Observation, Readiness } from './external/external-client.ts'
export {
  ExternalError,
  type ExternalErrorCode,
  type ExternalErrorOptions,
  hasExternalCode,
  tookNoEffect,
} from './external/external-error.ts'
export { type CrdGate, openCrdGate } from './gate/crd-gate.ts'
export { isEstablished } from './ownership/settle-ownership.ts'
export { checkExternalName } from './ownership/check-external-name.ts'
export { defineProvider, type ProviderContext, type ProviderDefinition } from './provider/define-provider.ts'
export { loadPackage, PackageError, type ProviderPackage } from './provider/provider-package.ts'
export { runProvider, type RunProviderOptions } from './provider/run-provider.ts'
export { controllerOf, type ProviderOptions, type RunningProvider, startProvider } from './provider/start-provider.ts'
export type { FailureReason, ManagedServices, RecordEvent } from './reconciler/attempt.ts'
export { type ManagedKind, managedKind } from './reconciler/managed-kind.ts'
export { managedReconcile } from './reconciler/managed-reconcile.ts'
export { needsAttention } from './reconciler/needs-attention.ts'
export {
  type ReferenceErrorCode,
  type ReferenceResolver,
  resolveReferences,
  UnresolvedReferenceError,
} from './references/resolve-references.ts'
export { targetsFrom, type TargetSource } from './references/targets.ts'
export * from './resource/annotations.ts'
export { type CreationRecord, creationRecordOf } from './resource/creation-record.ts'
export {
  type BindingPhase,
  isBeingDeleted,
  type ManagedResource,
  type ManagedStatus,
  parametersOf,
  statusOf,
  withLateInit,
} from './resource/managed-resource.ts'
export { deletesExternal, type ManagementDecision, managementOf, type ManagementPolicy } from './resource/policies.ts'
export { definitionOf, installKinds } from './conformance/install.ts'
export { openWorld, type World, type WorldOptions } from './conformance/world.ts'
export { conformanceCases } from './conformance/conformance.ts'
export {
  type ConformanceCase,
  type ConformanceSubject,
  type ConformanceCredentials,
  type ExternalSystem,
  type Faults,
  SECRET_NAMESPACE,
} from './conformance/subject.ts'
