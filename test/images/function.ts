// A function as a program, bundled into the image of a package: its input says what it is to do. It asks of its environment what those of the
// official kits ask, and nothing else.
import { fstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js'
import { requestOf, responseMessage, type RunFunctionRequest, type RunFunctionResponse, type Struct } from '@weft/functions'
import { serviceDefinition } from '@weft/grpc'
import {
  FunctionRunnerService,
  type RunFunctionRequest as RequestMessage,
  type RunFunctionResponse as ResponseMessage,
} from '../../packages/functions/src/generated/apiextensions/fn/v1/function_runner_pb.ts'

const argument = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const tries = (act: () => unknown): string => {
  try {
    return String(act()).slice(0, 200)
  } catch (error) {
    return `no: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`
  }
}

/** Files that it did not open, by number and size. */
const leftOpen = (): string[] =>
  Array.from({ length: 1024 }, (_, fd) => fd).flatMap((fd) => {
    try {
      const file = fstatSync(fd)
      return file.isFile() ? [`${fd}: ${file.size} bytes`] : []
    } catch {
      return []
    }
  })

/** Looks around as somebody would who should not be here. */
function spy({ read = [], write = [], signal = [] }: Record<string, readonly string[]>): Struct {
  return {
    uid: process.getuid?.() ?? -1,
    leftOpen: leftOpen(),
    environment: Object.keys(process.env).toSorted(),
    root: readdirSync('/').toSorted(),
    read: Object.fromEntries(read.map((path) => [path, tries(() => readFileSync(path, 'utf8') || 'empty')])),
    write: Object.fromEntries(write.map((path) => [path, tries(() => writeFileSync(path, 'x') ?? 'written')])),
    signal: Object.fromEntries(signal.map((pid) => [pid, tries(() => process.kill(Number(pid), 0))])),
  }
}

function answer(request: RunFunctionRequest): RunFunctionResponse {
  const { desired = {} } = request
  const meta = { tag: request.meta?.tag ?? '', ttl: '60s' }
  const input = (request.input ?? {}) as Record<string, unknown>
  if (input['do'] === 'crash') {
    console.error('I cannot go on: the input says so')
    process.exit(3)
  }
  if (input['do'] === 'spy') return { meta, desired, context: { seen: spy(input as never) } }
  const spec = (request.observed?.composite?.resource?.['spec'] ?? {}) as { size?: number }
  const resource = {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    metadata: { annotations: { 'example.org/size': String(spec.size ?? 0), 'example.org/pid': String(process.pid) } },
    spec: { forProvider: { conditionAfter: [{ time: '0s', conditionType: 'Ready', conditionStatus: 'True' }] } },
  }
  return { meta, desired: { ...desired, resources: { ...desired.resources, made: { resource, ready: 'READY_TRUE' } } } }
}

const folder = process.env['TLS_SERVER_CERTS_DIR'] ?? ''
const file = (name: string): Buffer => readFileSync(join(folder, name))
const server = new Server()
server.addService(serviceDefinition(FunctionRunnerService), {
  runFunction: (call: ServerUnaryCall<RequestMessage, ResponseMessage>, done: sendUnaryData<ResponseMessage>) =>
    done(null, responseMessage(answer(requestOf(call.request)))),
})
const credentials = ServerCredentials.createSsl(file('ca.crt'), [{ private_key: file('tls.key'), cert_chain: file('tls.crt') }], true)
/** Where it listens, whatever it is told. */
const insists = process.env['INSISTS_ON']
if (insists !== undefined && process.argv.includes('--address')) {
  console.error('error: unknown flag --address')
  process.exit(2)
}
server.bindAsync(argument('--address') ?? insists ?? '0.0.0.0:9443', credentials, (error) => {
  if (error !== null) throw error
  console.log('the function listens')
})
process.on('SIGTERM', () => {
  console.log('the function ends')
  process.exit(0)
})
