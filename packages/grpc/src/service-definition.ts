import { type DescService, fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import type { ServiceDefinition } from '@grpc/grpc-js'

/** What a server of the transport takes to serve a generated service; handlers are named as the service's methods in TypeScript. */
export function serviceDefinition(service: DescService): ServiceDefinition {
  const write = (schema: DescService['methods'][number]['input']) => (message: Message) => Buffer.from(toBinary(schema, message))
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: write(method.input),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: write(method.output),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  )
}
