import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { FunctionRunnerService, requestOf, responseMessage, type RunFunctionRequest } from '@weft/functions'
import { serviceDefinition } from '@weft/grpc'

/** A function that is a program of its own, in this process: it hands on what it is given. */
export async function startProgram(): Promise<{ readonly address: string; calls(): number; stop(): void }> {
  let calls = 0
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 })
  server.addService(serviceDefinition(FunctionRunnerService), {
    runFunction(
      call: ServerUnaryCall<Parameters<typeof requestOf>[0], ReturnType<typeof responseMessage>>,
      done: sendUnaryData<ReturnType<typeof responseMessage>>,
    ) {
      calls++
      const { meta, desired, context }: RunFunctionRequest = requestOf(call.request)
      done(null, responseMessage({ meta: { tag: meta?.tag ?? '' }, ...(desired && { desired }), ...(context && { context }) }))
    },
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return { address: `localhost:${port}`, calls: () => calls, stop: () => server.forceShutdown() }
}
