/**
 * Calls of gRPC services that are described by generated code (`npm run protobuf`): one answer, or a stream of them. Imports nothing of ours.
 */
export { GrpcClient, type GrpcCallOptions, type GrpcClientOptions } from './grpc-client.ts'
export { GrpcCode, GrpcError } from './grpc-error.ts'
export { serviceDefinition } from './service-definition.ts'
export type { GrpcTarget, TlsOptions } from './target.ts'
