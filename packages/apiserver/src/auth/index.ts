export { anonymousUser } from './authentication/anonymous.ts'
export { type Authenticator, createAuthenticator } from './authentication/authenticator.ts'
export type { PeerCertificate } from './authentication/client-certificate.ts'
export { impersonatedUser } from './authentication/impersonation.ts'
export { signingKey } from './authentication/jwt.ts'
export {
  type DiscoveryResponse,
  JWKS_PATH,
  jwksDocument,
  OPENID_CONFIGURATION_PATH,
  openIdConfiguration,
} from './authentication/oidc-discovery.ts'

export {
  createServiceAccountTokens,
  type LiveObject,
  type ServiceAccountLookup,
  type ServiceAccountTokens,
} from './authentication/service-account-tokens.ts'
export { parseTokenFile, type StaticTokens, TokenFileError } from './authentication/static-tokens.ts'
export { evaluateTokenRequest } from './authentication/token-request.ts'

export { evaluateSelfSubjectReview, evaluateTokenReview, userStatus } from './authentication/token-review.ts'
export { AGGREGATION_FIELD_MANAGER, aggregateRules } from './authorization/aggregation.ts'
export {
  type Attributes,
  type Authorizer,
  type Decision,
  firstToAllow,
  nonResourceAttributes,
  resourceAttributes,
} from './authorization/attributes.ts'
export { checkBindingWrite, checkRoleWrite } from './authorization/escalation.ts'
export { forbiddenError } from './authorization/forbidden.ts'
export { createRbacAuthorizer, type RbacAuthorizer } from './authorization/rbac-authorizer.ts'
export {
  type ClusterRole,
  type ClusterRoleBinding,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleSource,
} from './authorization/rbac-objects.ts'
export {
  evaluateLocalSubjectAccessReview,
  evaluateSelfSubjectAccessReview,
  evaluateSelfSubjectRulesReview,
  evaluateSubjectAccessReview,
} from './authorization/reviews.ts'

export { ruleAllows } from './authorization/rules.ts'
export { BOOTSTRAP_CLUSTER_ROLE_BINDINGS, BOOTSTRAP_CLUSTER_ROLES } from './bootstrap-policy.ts'
export { reconcileBinding, reconcileRole } from './bootstrap-reconcile.ts'
export * from './user.ts'
