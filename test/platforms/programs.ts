import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import {
  FunctionRunnerService,
  requestOf,
  responseMessage,
  type ResourceSelector,
  type RunFunctionRequest,
  type RunFunctionResponse,
  type Struct,
} from '@weft/functions'
import { serviceDefinition } from '@weft/grpc'

/** Functions that are programs of their own, as far as anybody can tell: they listen on a port, and are asked over gRPC. */
export interface Program {
  readonly port: number
  stop(): void
}

type Message<T extends (...args: never[]) => unknown> = Parameters<T>[0]

export async function startProgram(answer: (request: RunFunctionRequest) => RunFunctionResponse): Promise<Program> {
  const server = new Server()
  server.addService(serviceDefinition(FunctionRunnerService), {
    runFunction(
      call: ServerUnaryCall<Message<typeof requestOf>, ReturnType<typeof responseMessage>>,
      done: sendUnaryData<ReturnType<typeof responseMessage>>,
    ) {
      done(null, responseMessage(answer(requestOf(call.request))))
    },
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return { port, stop: () => server.forceShutdown() }
}

const passed = ({ meta, desired, context }: RunFunctionRequest): RunFunctionResponse => ({
  meta: { tag: meta?.tag ?? '' },
  ...(desired && { desired }),
  ...(context && { context }),
})

const field = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)

interface EnvironmentInput {
  readonly spec: {
    readonly environmentConfigs: readonly {
      readonly type: string
      readonly ref?: { readonly name: string }
      readonly selector?: { readonly matchLabels: readonly { readonly key: string; readonly valueFromFieldPath: string }[] }
    }[]
  }
}

/** Asks for EnvironmentConfigs, and puts what they say into the context, later ones over earlier ones. */
export function environmentConfigs(request: RunFunctionRequest): RunFunctionResponse {
  const composite = request.observed?.composite?.resource
  const { environmentConfigs: wanted } = (request.input as unknown as EnvironmentInput).spec
  const resources = Object.fromEntries(
    wanted.map(({ ref, selector }, i): [string, ResourceSelector] => [
      `environment-config-${i}`,
      {
        apiVersion: 'apiextensions.crossplane.io/v1beta1',
        kind: 'EnvironmentConfig',
        ...(ref
          ? { matchName: ref.name }
          : {
              matchLabels: {
                labels: Object.fromEntries(
                  selector?.matchLabels.map(({ key, valueFromFieldPath }) => [key, String(field(composite, valueFromFieldPath))]) ?? [],
                ),
              },
            }),
      },
    ]),
  )
  const shown = wanted.flatMap((_, i) => request.requiredResources?.[`environment-config-${i}`]?.items ?? [])
  const environment = Object.assign({}, ...shown.map(({ resource }) => resource?.['data'])) as Struct
  return {
    ...passed(request),
    requirements: { resources },
    context: {
      ...request.context,
      'apiextensions.crossplane.io/environment': {
        ...environment,
        apiVersion: 'internal.crossplane.io/v1alpha1',
        kind: 'Environment',
      },
    },
  }
}

interface WhenInput {
  readonly unless: {
    readonly apiVersion: string
    readonly kind: string
    readonly namespace: string
    readonly labels: Readonly<Record<string, string>>
  }
  readonly leaveOut: readonly string[]
}

/** Leaves out some of what is desired unless what it asks for is there. */
export function when(request: RunFunctionRequest): RunFunctionResponse {
  const { unless, leaveOut } = request.input as unknown as WhenInput
  const region = String(field(request.observed?.composite?.resource, 'spec.region'))
  const labels = Object.fromEntries(Object.entries(unless.labels).map(([key, value]) => [key, value.replace('{region}', region)]))
  const selector = { apiVersion: unless.apiVersion, kind: unless.kind, namespace: unless.namespace, matchLabels: { labels } }
  const isThere = (request.requiredResources?.['zone']?.items ?? []).length > 0
  const kept = Object.entries(request.desired?.resources ?? {}).filter(([name]) => isThere || !leaveOut.includes(name))
  return {
    ...passed(request),
    requirements: { resources: { zone: selector } },
    desired: { ...request.desired, resources: Object.fromEntries(kept) },
  }
}
