/**
 * The five designs, Crossplane's composition API and the package manager as controllers. A controller sees a client and a clock, never a server; which of
 * them run is decided in `plane`. Folders import one another in one order (scripts/layers.mjs), from above:
 *
 *   operation/, usage/, function/               Crossplane's operations and usages; who answers for functions
 *   package/, doomed/, rbac/                    packages; what goes with what is deleted; rights for kinds that come
 *   xr-claim/, xr/, xrd/                        Crossplane's claims, composite resources and their kinds
 *   requirement/, composite/, revision/         requirements, composites, and the revisions of Compositions
 *   managed-definition/, definition/            how kinds come and go
 *   claim-controllers/, group/, selection/,
 *   claim/                                      claims: their controllers, several resources for one, which class, what was made for them
 *   deletion/, connection/, binding/            what all designs share: what goes first, who gets which keys, whose it is
 *   spelling/, bindings-table/, secret/         misspelt fields; which class and kind go with a claim, as data; copies of Secrets
 */
export * from './bindings-table/well-known.ts'
export { type BindingRow, type FieldMapping, readRow, type RowProblem } from './bindings-table/row.ts'
export { type BindingsTable, buildTable, type ClassTuple, flexibleClaimOf } from './bindings-table/table.ts'
export { BindingError, type BindingErrorCode } from './binding/binding-error.ts'
export {
  type Claimant,
  claimantsOf,
  type ClaimantField,
  describe,
  describeObject,
  isClaimedBy,
  otherClaimant,
  referenceTo,
  refusal,
  type Relation,
} from './binding/claimant.ts'
export { available, binding, deleting, notSynced, synced, waiting, withStatus } from './binding/conditions.ts'
export * from './binding/finalizers.ts'
export { type BindingPhase, isBindable, phaseOf, withPhase } from './binding/phase.ts'
export { type ReclaimPolicy, reclaimPolicyOf } from './binding/reclaim.ts'
export { controllerReference, isControlledBy, mustBeControlledBy, mustBeWritableBy } from './connection/control.ts'
export { type Propagation, propagateConnection, stopPropagation } from './connection/propagate.ts'
export {
  connectionSecretAddress,
  type FindSecret,
  publishConnection,
  readConnection,
  type SecretAddress,
  type WriteConnection,
  writeConnection,
} from './connection/secret.ts'
export { type ManagedDefinitionOptions, startManagedDefinitionControllers } from './managed-definition/start.ts'
export {
  DEFINITION_FINALIZER,
  type DefinedKind,
  type DefinitionAdapter,
  DefinitionError,
  PUBLISHED_FINALIZER,
  type Rendering,
} from './definition/definition.ts'
export * from './definition/kinds.ts'
export type { DefinitionServices } from './definition/services.ts'
export { definitionController } from './definition/controller.ts'
export { DEFAULT_POLICY, ensureDefaultPolicy } from './managed-definition/default-policy.ts'
export { compilePatterns, matchesPattern } from './managed-definition/pattern.ts'
export { renderManagedKind } from './managed-definition/render.ts'
export {
  ACTIVATION_ANNOTATION,
  BY_NAME,
  type ExpandedDefinition,
  SCHEMA_ANNOTATION,
  type SchemaSource,
} from './managed-definition/schema-source.ts'
export { type ClaimControllers, type ClaimControllersOptions, startClaimControllers } from './claim-controllers/start-claim-controllers.ts'
export { WEIGHT } from './selection/pick.ts'
export { startDefinitionControllers } from './start-definition-controllers.ts'
export { checkTemplate } from './composite/render-crd.ts'
export { checkAnyComposition } from './xr/check-pipeline.ts'
export { checkComposition, type CompositionProblem, type CompositionSchemas, compositionSchemas } from './composite/check-composition.ts'
export { checkClaim } from './claim/check-claim.ts'
export { checkClaimEdit } from './claim/check-claim-edit.ts'
export { CLAIM_KINDS_NAME } from './claim/claim-kind-record.ts'
export { checkClass, type ClassSchemas } from './claim/check-class.ts'
export { isReservedGroup, type Nature, natureOf } from './definition/nature.ts'

// What controllers make, as pure functions: `weft render` makes the same from files.
export { AGGREGATES, COMPOSITES, type GroupKindAdapter } from './group/group-kind.ts'
export { isEntryOf, type LedgerEntry, ledgerOf } from './group/ledger.ts'
export { memberObject } from './group/members.ts'
export { type MemberTemplate, flexibleTemplates, typedTemplate } from './claim/class-source.ts'
export { resourceFor } from './claim/direct-binder.ts'
export { explainUndecided } from './selection/explain.ts'
export type { Provisioned } from './claim/provision.ts'
export { type Route, routeOf } from './claim-controllers/route.ts'
export type { KnownClasses } from './claim/services.ts'
export { candidatesOf } from './selection/candidates.ts'
export { type Wish, wishOf } from './claim/wish.ts'
export { kindOfRef, specRef, withSpec } from './binding/spec-reference.ts'
export { mustKeepContract, renderMember } from './composite/compose.ts'
export { type Choice, choiceOf } from './composite/choose.ts'
export { CompositeError } from './composite/composite-error.ts'
export { isFor, templatesFor } from './composite/composition-source.ts'
export { definesKind } from './definition/inactive-kind.ts'
export { isActive } from './managed-definition/managed-definition.ts'
export { checkPatterns } from './managed-definition/check-patterns.ts'
export { checkKept, type DefinedRole } from './requirement/check-kept.ts'
export { renderCompositeKind } from './composite/composite-kind.ts'
export { renderRequirementKind, requirementNames } from './requirement/requirement-kind.ts'
export { CONFIRM_DELETION, confirmedCount } from './definition/confirm-deletion.ts'
export { type Doomed, doomedBy } from './doomed/doomed.ts'
export { composedRefsOf, type Member, type MemberPlan, planMembers } from './composite/members.ts'
export { labelledCompositions, noComposition, withMembers } from './composite/named.ts'
export { APPLICATION, type CompositeType, INFRASTRUCTURE } from './composite/composite-type.ts'
export { mustBeInScope } from './composite/scope.ts'
export { type CompositeSettings, serviceAccountOf, settingsOf } from './composite/settings.ts'
export { bindTo, provision as provisionComposite, resourceOf, sentBy, withResource } from './requirement/bound.ts'
export { applyRoles, rbacController } from './rbac/controller.ts'
export { controllerOfKind, rolesForKinds } from './rbac/kind-rules.ts'
export {
  type Audience,
  AUDIENCES,
  baseRoles,
  type ClusterRole,
  clusterRoleKind,
  COMPOSITION_ROLE,
  contribution,
  kindsRoleName,
  type PolicyRule,
  roleName,
} from './rbac/roles.ts'
export { BEARING_KINDS, doomedByPackage } from './package/doomed-by-package.ts'
export { startPackageControllers } from './package/controllers.ts'
export { withBuiltInFunctions } from './package/built-in-functions.ts'
export { diskStore, type DiskStore, type DiskStoreOptions } from './package/disk-store.ts'
export * from './package/kinds.ts'
export type { FetchedPackage, FetchOptions, PackageStore } from './package/package-store.ts'
export {
  AWAITING,
  NO_RUNTIME,
  type PackageRun,
  type PackageRuntime,
  type RuntimeHealth,
  type RuntimeSettings,
} from './package/package-runtime.ts'
export { AWAITING_ACTIVATION } from './package/awaiting-activation.ts'
export { activatesLate } from './package/render-objects.ts'
export { PackageRefusal } from './package/package-refusal.ts'
export { carriesWebhooks, pointWebhooks, type WebhookTarget } from './package/webhooks.ts'
export { isProviderAccount, type NamedSecret, namedSecrets, newlyNamedSecrets, PROVIDER_ACCOUNT } from './package/named-secrets.ts'
export { withImageConfigs } from './package/image-configs.ts'
export { BUNDLED, TERRAFORM } from './package/revision-reconcile.ts'
export type { PackageServices } from './package/services.ts'
export { checkSpelling, type KnownFields } from './spelling/check-spelling.ts'
export { checkAggregation } from './group/check-aggregation.ts'
export { startXrdControllers, type XrdControllersOptions } from './start-xrd-controllers.ts'
export type { Disclosure } from './xr/live-requirements.ts'
export { type CompositeResourceDefinition, compositeResourceDefinitionKind, isXrd, scopeOf } from './xrd/xrd.ts'
export { renderClaimCrd, RenderError, renderXrCrd } from './xrd/render-crds.ts'
export { ignoredKeywords } from './xrd/ignored-keywords.ts'
export { renderXr, XrRenderError, type XrRenderInput, type XrRendering } from './xr/render.ts'
export { isPipeline } from './revision/composition-hash.ts'
export { type FunctionAnswers, type FunctionAsker, startFunctionAnswers } from './function/function-answers.ts'
export { startOperationControllers } from './start-operation-controllers.ts'
export { startUsageControllers } from './usage/start.ts'
export {
  DELETION_ATTEMPT,
  IN_USE,
  inUseMessage,
  namespaceOfUsed,
  objectKey,
  type Propagation as DeletionPropagation,
  type Usage,
  USAGE_KINDS,
  usedKey,
} from './usage/usage.ts'
export { CORE_MANAGER } from './definition/core-manager.ts'
