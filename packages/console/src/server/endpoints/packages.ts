import type { IncomingMessage } from 'node:http'
import type { PackageContents, PackageLog } from '../../contract.ts'
import { Refusal } from '../answer.ts'
import type { ConsoleSession } from '../session/sessions.ts'
import { reviewAll } from './access.ts'
import { type Engines, unsupported } from './compute.ts'

const GROUP = 'pkg.crossplane.io'
/** What has a process of its own, and its resource. */
const RUNNING: Readonly<Record<string, string>> = { Provider: 'providers', Function: 'functions' }

/** Packages are fetched as the control plane would: only for those who could have it do so by installing them. */
export async function readPackage(
  session: ConsoleSession,
  { readPackage: read }: Engines,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<PackageContents> {
  if (read === undefined) throw unsupported('look into packages')
  const { source } = body
  if (typeof source !== 'string' || source.trim() === '' || source.length > 1024)
    throw new Refusal(400, 'BadRequest', '"source" says where the package is: registry/name:version')
  const wishes = ['providers', 'configurations', 'functions'].flatMap((resource) =>
    ['create', 'patch'].map((verb) => ({ verb, group: GROUP, resource })),
  )
  if (!(await reviewAll(session, wishes)).includes(true)) throw new Refusal(403, 'Forbidden', 'you may not install or change packages')
  return read(source.trim(), signal)
}

export async function readLog(session: ConsoleSession, { readLog: read }: Engines, request: IncomingMessage): Promise<PackageLog> {
  if (read === undefined) throw unsupported('read the output of processes; `weft logs` does, on the machine where they run')
  const query = new URL(request.url ?? '/', 'http://console').searchParams
  const kind = query.get('kind') ?? ''
  const name = query.get('name') ?? ''
  const resource = Object.hasOwn(RUNNING, kind) ? RUNNING[kind] : undefined
  if (resource === undefined || name === '') throw new Refusal(400, 'BadRequest', '"kind" is Provider or Function, and "name" its name')
  const [allowed] = await reviewAll(session, [{ verb: 'get', group: GROUP, resource, subresource: 'log', name }])
  if (allowed !== true) throw new Refusal(403, 'Forbidden', `you may not read the output of ${name}: that takes "get" on ${resource}/log`)
  const text = await read(kind, name)
  return text === undefined ? {} : { text }
}
