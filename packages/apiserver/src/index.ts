/**
 * A Kubernetes-compatible API server in this process. `createApiServer` answers requests from a store; who listens on a socket is `http/`. Inside it
 * everything flows down (docs/flow.md, scripts/layers.mjs). It knows no controller and no kind of Weft's: what those need of it they ask as clients do.
 */
export type { AdmissionPlugin, AdmissionRequest } from './admission/admission.ts'
export { type ApiServerOptions, createApiServer, type EmbeddedApiServer } from './api-server.ts'
export { openAuditLog, type AuditLog } from './audit/index.ts'
export {
  type Attributes,
  type Authorizer,
  parseTokenFile,
  resourceAttributes,
  ruleAllows,
  type StaticTokens,
  TokenFileError,
  type UserInfo,
} from './auth/index.ts'
export { readJson } from './endpoints/body/read-json.ts'
export type { ApiRequest, ApiResponse, WatchBody, WatchEvent, WatchSink } from './endpoints/exchange.ts'
export { objectOf } from './endpoints/answer/represent.ts'
export { describeException, EXCEPTION_MARK, type RequestException } from './endpoints/request-exception.ts'
export type { ApiServer, PathHandler } from './endpoints/server.ts'
export { decodeProtobuf, decodeProtobufEvent } from './endpoints/answer/protobuf-answer.ts'
export { createFairQueue, type FairQueueOptions } from './fairness/index.ts'
export { type Front, type FrontOptions, listen } from './http/front.ts'
export {
  createMemoryPki,
  ensurePki,
  formatKubeconfig,
  issueClientCertificate,
  type Pki,
  PkiError,
  renewAuthorityPair,
  renewServingPair,
  renewTlsPair,
  type ServingPair,
  type TlsPair,
  type TlsPurpose,
  writeKubeconfig,
} from './pki/index.ts'
export {
  CompactionService,
  DataDirectoryError,
  lockOwner,
  objectKey,
  REGISTRY,
  resourcePrefix,
  openLmdbStorage,
  openMemoryStorage,
  prefixEnd,
  type LmdbStorage,
  checkFile,
  checkStore,
  repairStore,
  type StoreReport,
  restoreBackup,
  type Storage,
} from './storage/index.ts'
export type { ObjectLookup } from './object-lookup.ts'
export { type ServedKind, type ServedKinds, servedKindOf } from './served-kinds.ts'
