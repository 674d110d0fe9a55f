import { type GrpcClientOptions, GrpcClient, GrpcCode, GrpcError, type GrpcTarget } from '@weft/grpc'
import { FunctionRunnerService } from '../generated/apiextensions/fn/v1/function_runner_pb.ts'
import { checkedResponse } from '../protocol/checked-response.ts'
import { type requestMessage, responseOf } from '../protocol/codec.ts'
import type { RunFunctionOptions } from '../protocol/function-runner.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { type TurnOptions, Turns } from '../protocol/turns.ts'
import { functionError } from './function-error-of.ts'
import { addressText } from './function-address.ts'
import { taggedMessage } from './tagged.ts'

export interface GrpcFunctionsOptions extends GrpcClientOptions {
  /** How long a call may take when its caller names no deadline. */
  readonly timeoutMs?: number
  /** Calls that one program is given at a time; further ones wait for their turn. */
  readonly maxCalls?: number
  /** How long a connection that nobody uses stays open. */
  readonly idleMs?: number
}

/** A reconcile of a composite has two minutes for all its steps. */
const TIMEOUT_MS = 20_000
const MAX_CALLS = 64
const IDLE_MS = 600_000
/** Between tries to reach a program that has not been reached: it may be starting. */
const PAUSES_MS = [100, 400, 1500]

const { runFunction } = FunctionRunnerService.method
/** The older protocol is the same under another name. */
const METHODS = {
  v1: runFunction,
  v1beta1: { ...runFunction, parent: { ...FunctionRunnerService, typeName: 'apiextensions.fn.proto.v1beta1.FunctionRunnerService' } },
} as const

interface Call extends RunFunctionOptions {
  readonly request: RunFunctionRequest
}

/**
 * Functions that are programs of their own. One connection to each, kept while it is used. The newer protocol is spoken, and the older one to
 * those who know no other. A call is sent again only when it cannot have been received.
 */
export class GrpcFunctions {
  readonly #options: GrpcFunctionsOptions
  readonly #programs = new Map<string, Program>()

  constructor(options: GrpcFunctionsOptions) {
    this.#options = options
  }

  async run(name: string, target: GrpcTarget, { request, signal, deadline, caller }: Call): Promise<RunFunctionResponse> {
    const end = Math.min(deadline ?? Number.POSITIVE_INFINITY, Date.now() + (this.#options.timeoutMs ?? TIMEOUT_MS))
    const program = this.#program(target)
    const release = await program.enter({ name, end, signal, caller })
    try {
      return await program.ask(name, request, end, signal)
    } finally {
      release()
    }
  }

  /** Connections by address and certificates: a program whose certificate was renewed is another. */
  #program(target: GrpcTarget): Program {
    const key = JSON.stringify(target, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))
    let program = this.#programs.get(key)
    if (program === undefined) {
      program = new Program(target, this.#options, () => {
        this.#programs.delete(key)
      })
      this.#programs.set(key, program)
    }
    return program
  }

  close(): void {
    for (const program of this.#programs.values()) program.close()
    this.#programs.clear()
  }
}

class Program {
  readonly #target: GrpcTarget
  readonly #client: GrpcClient
  readonly #idleMs: number
  readonly #forget: () => void
  readonly #turns: Turns
  #idle: NodeJS.Timeout | undefined
  #version: keyof typeof METHODS = 'v1'

  constructor(target: GrpcTarget, options: GrpcFunctionsOptions, forget: () => void) {
    const { maxCalls = MAX_CALLS, idleMs = IDLE_MS } = options
    this.#target = target
    this.#client = new GrpcClient(target, options)
    this.#turns = new Turns(maxCalls)
    this.#idleMs = idleMs
    this.#forget = forget
  }

  /** Waits for a turn; answers how to give it back. */
  async enter(asking: TurnOptions): Promise<() => void> {
    clearTimeout(this.#idle)
    const leave = await this.#turns.enter(asking)
    return () => {
      leave()
      if (!this.#turns.isIdle) return
      this.#idle = setTimeout(() => {
        this.#forget()
        this.close()
      }, this.#idleMs)
      this.#idle.unref()
    }
  }

  async ask(name: string, request: RunFunctionRequest, end: number, signal: AbortSignal | undefined): Promise<RunFunctionResponse> {
    const message = taggedMessage(request)
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#call(message, end, signal)
        return checkedResponse(name, () => responseOf(answer))
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error
        const pause = PAUSES_MS[attempt]
        if (!wasNotReceived(error) || pause === undefined || Date.now() + pause >= end)
          throw functionError(name, addressText(this.#target), error)
        await delay(pause, signal)
      }
    }
  }

  /** In the version that it last understood; in the other where it knows nothing of that. */
  async #call(message: ReturnType<typeof requestMessage>, end: number, signal: AbortSignal | undefined): Promise<Answer> {
    const send = (): Promise<Answer> =>
      this.#client.unary(METHODS[this.#version], message, { signal, timeoutMs: Math.max(end - Date.now(), 1) })
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof GrpcError) || error.code !== GrpcCode.Unimplemented) throw error
      this.#version = this.#version === 'v1' ? 'v1beta1' : 'v1'
      return send()
    }
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#client.close()
  }
}

type Answer = Parameters<typeof responseOf>[0]

const wasNotReceived = ({ code, details }: GrpcError): boolean =>
  code === GrpcCode.Unavailable && /^(No connection established|Name resolution failed)/.test(details)

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
