import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf'
import type { DescMethodServerStreaming, DescMethodUnary } from '@bufbuild/protobuf'
import { type CallOptions as TransportOptions, Client, Metadata, type ServiceError } from '@grpc/grpc-js'
import { GrpcError } from './grpc-error.ts'
import { addressOf, credentialsOf, type GrpcTarget } from './target.ts'

const MIB = 1024 * 1024

export interface GrpcClientOptions {
  /** Of a message, each way. 64 MiB unless said. */
  readonly maxMessageBytes?: number
}

export interface GrpcCallOptions {
  /**
   * Cancels the call, and what the server is doing for it. So does the timeout. Without either a call may last for ever, which is right for
   * what must not be cut off.
   */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/**
 * Calls one server over one connection, which is opened with the first call and again after it broke. Any number of calls run at a time.
 * A call is sent once: one that failed may have reached the server.
 */
export class GrpcClient {
  readonly #client: Client

  constructor(target: GrpcTarget, { maxMessageBytes = 64 * MIB }: GrpcClientOptions = {}) {
    const name = target.type === 'tcp' ? target.tls?.serverName : undefined
    this.#client = new Client(addressOf(target), credentialsOf(target), {
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_send_message_length': maxMessageBytes,
      'grpc.enable_retries': 0,
      // A name is looked up for its address, not for settings; and what we call is named by the operator, not behind a proxy.
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_http_proxy': 0,
      // Closing one client must not depend on another to the same address.
      'grpc.use_local_subchannel_pool': 1,
      ...(name !== undefined && { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name }),
    })
  }

  /** Rejects with GrpcError. */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: GrpcCallOptions = {},
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const path = pathOf(method)
      if (options.signal?.aborted === true) return reject(cancelled(path, options.signal))
      let stop = (): void => {}
      const call = this.#client.makeUnaryRequest(
        path,
        writer(method.input),
        reader(method.output),
        create(method.input, request),
        new Metadata(),
        transportOptions(options),
        (error: ServiceError | null, answer?: MessageShape<O>) => {
          stop()
          if (error !== null || answer === undefined) reject(new GrpcError(path, error ?? NO_ANSWER, { cause: error }))
          else resolve(answer)
        },
      )
      stop = onAbort(options.signal, () => call.cancel())
    })
  }

  /** What the server sends until it ends. Throws GrpcError. Leaving the loop cancels the call; a slow reader slows the server down. */
  async *serverStream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: GrpcCallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const path = pathOf(method)
    if (options.signal?.aborted === true) throw cancelled(path, options.signal)
    const call = this.#client.makeServerStreamRequest(
      path,
      writer(method.input),
      reader(method.output),
      create(method.input, request),
      new Metadata(),
      transportOptions(options),
    )
    const stop = onAbort(options.signal, () => call.cancel())
    try {
      for await (const message of call) yield message as MessageShape<O>
    } catch (error) {
      throw new GrpcError(path, error as ServiceError, { cause: error })
    } finally {
      stop()
      call.cancel()
    }
  }

  /** Calls that are under way are finished first by the transport; new ones fail. */
  close(): void {
    this.#client.close()
  }
}

const NO_ANSWER = { code: 13, details: 'the server ended the call without an answer' }

const pathOf = (method: { readonly parent: { readonly typeName: string }; readonly name: string }): string =>
  `/${method.parent.typeName}/${method.name}`

const writer =
  <M extends DescMessage>(schema: M) =>
  (message: MessageShape<M>): Buffer => {
    const bytes = toBinary(schema, message)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

const reader =
  <M extends DescMessage>(schema: M) =>
  (bytes: Buffer): MessageShape<M> =>
    fromBinary(schema, bytes)

const transportOptions = ({ timeoutMs }: GrpcCallOptions): TransportOptions =>
  timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs }

const cancelled = (path: string, signal: AbortSignal): GrpcError =>
  new GrpcError(path, { code: 1, details: 'it was given up before it began' }, { cause: signal.reason })

function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {}
  signal.addEventListener('abort', act, { once: true })
  return () => signal.removeEventListener('abort', act)
}
