import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { createMemoryPki } from '@weft/apiserver'
import { serviceDefinition, type TlsOptions } from '@weft/grpc'
import {
  FunctionRunnerService as V1,
  type RunFunctionRequest as RequestMessage,
  type RunFunctionResponse as ResponseMessage,
} from '../generated/apiextensions/fn/v1/function_runner_pb.ts'
import { requestOf, responseMessage } from '../protocol/codec.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { FunctionRunners } from '../runner/function-runners.ts'
import { parseFunctionAddress } from './function-address.ts'
import type { GrpcFunctionsOptions } from './grpc-functions.ts'

export { V1 }
/** The older protocol is the same under another name. */
export const V1Beta1: typeof V1 = { ...V1, typeName: V1.typeName.replace('.v1.', '.v1beta1.') as typeof V1.typeName }

/** Undefined: never. */
export type Answer = (
  request: RunFunctionRequest,
  call: ServerUnaryCall<RequestMessage, ResponseMessage>,
) => RunFunctionResponse | Promise<RunFunctionResponse> | undefined

export interface ServeOptions {
  readonly service?: typeof V1
  readonly credentials?: ServerCredentials
}

/** A function as a program of its own: answers what it is told to. */
export async function serveFunction(
  answer: Answer,
  { service = V1, credentials = ServerCredentials.createInsecure() }: ServeOptions = {},
): Promise<{ readonly port: number; close(): void }> {
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 })
  server.addService(serviceDefinition(service), {
    runFunction(call: ServerUnaryCall<RequestMessage, ResponseMessage>, done: sendUnaryData<ResponseMessage>) {
      void Promise.resolve(answer(requestOf(call.request), call)).then(
        (response) => response !== undefined && done(null, responseMessage(response)),
        (error: unknown) => done(error as Error),
      )
    },
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error))),
  )
  return { port, close: () => server.forceShutdown() }
}

/** Calls the function that listens there, whatever it is called. */
export function runnerOf(port: number, options: GrpcFunctionsOptions & { readonly tls?: TlsOptions } = {}): FunctionRunners {
  const target = parseFunctionAddress(`localhost:${port}`, options.tls)
  if (target === undefined) throw new Error('no address')
  return new FunctionRunners({ find: async () => ({ type: 'address', target }) }, options)
}

/** Certificates for both sides. */
export function mutualTls(): { readonly credentials: ServerCredentials; readonly tls: TlsOptions & { readonly ca: Buffer } } {
  const { ca, serving, admin } = createMemoryPki()
  const trusted = Buffer.from(ca.certificatePem)
  const pair = { private_key: Buffer.from(serving.key), cert_chain: Buffer.from(serving.certificate) }
  return {
    credentials: ServerCredentials.createSsl(trusted, [pair], true),
    tls: { ca: trusted, key: Buffer.from(admin.key), certificate: Buffer.from(admin.certificate) },
  }
}
