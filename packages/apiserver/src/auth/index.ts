export { anonymousUser } from './authentication/anonymous.ts'
export {
  type Authenticator,
  type AuthenticatorOptions,
  bearerToken,
  createAuthenticator,
  type Credentials,
} from './authentication/authenticator.ts'
export type { PeerCertificate } from './authentication/client-certificate.ts'
export { hasImpersonationHeaders, impersonatedUser, type RequestHeaders } from './authentication/impersonation.ts'
export { type JsonWebKeySet, type SigningKey, signingKey, type VerificationKey, verificationKey } from './authentication/jwt.ts'
export {
  type DiscoveryResponse,
  JWKS_PATH,
  jwksDocument,
  OPENID_CONFIGURATION_PATH,
  openIdConfiguration,
} from './authentication/oidc-discovery.ts'
export type { BoundObject } from './authentication/service-account-claims.ts'
export {
  createServiceAccountTokens,
  DEFAULT_ISSUER,
  type IssuedToken,
  type IssueOptions,
  type LiveObject,
  MIN_TOKEN_SECONDS,
  type ServiceAccountLookup,
  type ServiceAccountTokenOptions,
  type ServiceAccountTokens,
} from './authentication/service-account-tokens.ts'
export { createStaticTokens, parseTokenFile, type StaticTokens, TokenFileError } from './authentication/static-tokens.ts'
export { evaluateTokenRequest, type TokenRequestContext, type TokenRequestResult } from './authentication/token-request.ts'
export type { TokenResult } from './authentication/token-result.ts'
export { evaluateSelfSubjectReview, evaluateTokenReview, userStatus } from './authentication/token-review.ts'
export { AGGREGATION_FIELD_MANAGER, aggregateRules } from './authorization/aggregation.ts'
export {
  type Attributes,
  type Authorizer,
  type Decision,
  firstToAllow,
  nonResourceAttributes,
  resourceAttributes,
  type ResourceFields,
} from './authorization/attributes.ts'
export { type BindingWrite, checkBindingWrite, checkRoleWrite, type RoleWrite } from './authorization/escalation.ts'
export { describeDenial, forbiddenError } from './authorization/forbidden.ts'
export { createRbacAuthorizer, type RbacAuthorizer } from './authorization/rbac-authorizer.ts'
export {
  type ClusterRole,
  type ClusterRoleBinding,
  type PolicyRule,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleRef,
  type RoleSource,
  type Subject as RbacSubject,
} from './authorization/rbac-objects.ts'
export {
  evaluateLocalSubjectAccessReview,
  evaluateSelfSubjectAccessReview,
  evaluateSelfSubjectRulesReview,
  evaluateSubjectAccessReview,
  resolveRules,
  type SubjectRules,
} from './authorization/reviews.ts'
export type { HeldRule, HeldRules, RuleResolver } from './authorization/rule-resolver.ts'
export { ruleAllows, ruleCovers, uncovered } from './authorization/rules.ts'
export { AUTOUPDATE_ANNOTATION, BOOTSTRAP_CLUSTER_ROLE_BINDINGS, BOOTSTRAP_CLUSTER_ROLES } from './bootstrap-policy.ts'
export { reconcileBinding, reconcileRole } from './bootstrap-reconcile.ts'
export * from './user.ts'
