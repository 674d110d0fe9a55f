export { SimCloudAdmin } from './admin.ts'
export { type ChangeOptions, type ClientOptions, type CreateOptions, SimCloudClient } from './client.ts'
export { CredentialsError, parseCredentials, type SimCloudCredentials } from './credentials.ts'
export {
  ConflictError,
  InvalidError,
  NotFoundError,
  QuotaExceededError,
  SimCloudError,
  ThrottledError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts'
export type { CallOptions, TransportOptions } from './transport.ts'
