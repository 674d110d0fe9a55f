/**
 * Drives programs written for Terraform and OpenTofu ("providers") by the protocol that they speak.
 *
 * - a **type** and a **value** (`value/`): Terraform's type system, with numbers of any size and values that are not known yet
 * - a **schema** (`schema/`): what a provider says that it takes and manages, the same for both versions of the protocol
 * - the calls of a provider (`protocol/`), and the **process** that answers them (`process/`): shared, and started when somebody needs it
 * - the **lifecycle** of a resource (`lifecycle/`): what is proposed, planned, applied and checked, as OpenTofu's core does it
 * - a **kind** (`kinds/`): a schema as users of the API see it, and the translation between the two (`config/`)
 * - a **state file** (`statefile/`): what somebody applied with Terraform itself
 * - a **source** (`sources/`): where a provider's program comes from, and who vouches for it
 *
 * Knows no API server and no managed resources.
 */
export { diagnosticText, ProviderFailure } from './lifecycle/provider-failure.ts'
export { readDataSource } from './lifecycle/read-data-source.ts'
export { type Action, type Applied, type Plan, ResourceDriver, type ResourceState, type StoredState } from './lifecycle/resource-driver.ts'
export { type ProcessEnd, type ProviderLog, type ProviderProcess, type StartOptions, startProvider } from './process/start-provider.ts'
export type { CallLimits } from './process/call-limits.ts'
export { quotedForms } from './process/concealed.ts'
export { askSchema } from './process/ask-schema.ts'
export { type ForeignState, type UpgradedState, upgradeStates } from './process/upgrade-states.ts'
export {
  configurationKey,
  type PoolOptions,
  type PoolRequest,
  type ProgramPlace,
  ProviderPool,
  ProviderUnavailableError,
} from './process/provider-pool.ts'
export { HandshakeError } from './process/handshake.ts'
export { removeAbandoned } from './process/process-directory.ts'
export { type AttributePath, type Diagnostic, errorsOf, type PathStep, pathText } from './protocol/diagnostic.ts'
export type { CallOptions, ProviderClient } from './protocol/provider-client.ts'
export { readStoredSchema } from './protocol/stored-schema.ts'
export { blockType, identityType, nestedType } from './schema/block-type.ts'
export { emptyBlock } from './schema/empty-block.ts'
export type {
  Attribute,
  Block,
  DescriptionKind,
  IdentityAttribute,
  IdentitySchema,
  NestedBlock,
  NestedType,
  Nesting,
  ProviderSchema,
  Schema,
  ServerCapabilities,
} from './schema/schema.ts'
export { equalTypes, equalValues, hasDuplicates } from './value/compare-values.ts'
export { Decimal } from './value/decimal.ts'
export { parseExactJson } from './value/exact-json.ts'
export { exactJson } from './value/exact-json-text.ts'
export { decodeJson, encodeJson } from './value/json.ts'
export { decodeMsgpack, encodeMsgpack } from './value/msgpack.ts'
export { BOOL, DYNAMIC, hasDynamic, listOf, mapOf, NUMBER, objectOf, setOf, STRING, tupleOf, type Type } from './value/type.ts'
export { typeFromJson, typeToJson } from './value/type-json.ts'
export { Dynamic, isArray, isMap, isUnknown, isWhollyKnown, Unknown, UNKNOWN, type Value } from './value/value.ts'
export { decodeWire } from './value/wire.ts'
export { ValueError } from './value/value-error.ts'
export {
  formatAddress,
  formatProviderSource,
  parseAddress,
  parseProviderSource,
  type ProviderAddress,
  type ProviderSource,
  shortAddress,
} from './sources/address.ts'
export type { ProviderArchive, ProviderCatalogue } from './sources/catalogue.ts'
export { filesystemMirror } from './sources/filesystem-mirror.ts'
export { networkMirror } from './sources/network-mirror.ts'
export { type FetchProviderOptions, providerStore, type ProviderStore, type StoredProvider } from './sources/provider-store.ts'
export { registryCatalogue } from './sources/registry.ts'
export { ConfigError, ConfigErrors } from './config/config-error.ts'
export { toAtProvider, toConnection } from './config/from-state.ts'
export { secretRefs, type SecretLookup, type SecretRef } from './config/secret-refs.ts'
export { type ConfigOptions, toConfig } from './config/to-config.ts'
export { readStateFile } from './statefile/read-state-file.ts'
export { sharedIds } from './statefile/shared-ids.ts'
export { resourceNames } from './statefile/resource-names.ts'
export { type StateFile, StateFileError, type StateResource } from './statefile/state-file.ts'
export { type ConnectionKey, connectionKeys } from './kinds/connection-keys.ts'
export { identityFields } from './kinds/identity-fields.ts'
export { camelCase } from './kinds/field-names.ts'
export { groupOf, type KindNames, kindNames, type ProviderKinds, type ProviderType, renameKey, type TypeSort } from './kinds/kind-names.ts'
export { knownOverlay, mergedOverlay } from './kinds/known-overlays.ts'
export { checkOverlay } from './kinds/check-overlay.ts'
export { NO_OVERLAY, overlayOf, parseOverlay, type ProviderOverlay, renamesOf, type TypeOverlay } from './kinds/overlay.ts'
export { PROVIDER_CONFIG, providerConfigKind } from './kinds/provider-config.ts'
export type { ReferenceTargets } from './kinds/references.ts'
export { API_VERSION, type RenderedKind, renderKind } from './kinds/render-kind.ts'
export type { Field, Form, KindShape, Reference } from './kinds/shape.ts'
export { shapeOf } from './kinds/shape-of.ts'
export { stubDefinition, stubOf } from './kinds/stub-definition.ts'
export { type BridgedKind, type BridgedProvider, bridgedProvider, describeProvider } from './kinds/bridged-provider.ts'
export { type ReferencePath, referencePaths } from './kinds/reference-paths.ts'
export { type ProviderConfiguration, toProviderConfiguration } from './config/provider-configuration.ts'
