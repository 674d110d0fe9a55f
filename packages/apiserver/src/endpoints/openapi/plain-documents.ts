import { stringifyJson } from '@weft/api'
import type { Message } from '../../kinds/message.ts'
import { addMessage, type Components } from './components.ts'
import { assembleV3, discoveryOperation, operationV3 } from './document-v3.ts'
import { apiGroup, apiGroupList, apiVersions, versionInfo } from './meta-messages.ts'
import { groupWords, uncapitalized } from './names.ts'
import type { Operation } from './operations.ts'

/** A path that serves no resource, with the message of its answer. */
interface PlainPath {
  readonly path: string
  readonly operation: Operation
  readonly message: Message
}

const plain = (path: string, message: Message, id: string, tag: string, description: string): PlainPath => ({
  path,
  operation: discoveryOperation(id, tag, description, message.name),
  message,
})

/** The document below `/openapi/v3/` for discovery and version paths; undefined when there is none of that name. */
export function plainDocument(name: string, isGroup: (group: string) => boolean): Buffer | undefined {
  const described = plainPath(name, isGroup)
  if (described === undefined) return undefined
  const components: Components = new Map()
  addMessage(components, described.message, 'v3')
  return assembleV3([[described.path, stringifyJson({ get: operationV3(described.operation) })]], components)
}

export const plainNames = (groups: readonly string[]): string[] => ['api', 'apis', 'version', ...groups.map((group) => `apis/${group}`)]

/** All of them, for the one document of OpenAPI v2. */
export function plainPaths(groups: readonly string[]): PlainPath[] {
  return plainNames(groups).flatMap((name) => plainPath(name, (group) => groups.includes(group)) ?? [])
}

function plainPath(name: string, isGroup: (group: string) => boolean): PlainPath | undefined {
  if (name === 'api') return plain('/api/', apiVersions, 'getCoreAPIVersions', 'core', 'get available API versions')
  if (name === 'apis') return plain('/apis/', apiGroupList, 'getAPIVersions', 'apis', 'get available API versions')
  if (name === 'version') return plain('/version/', versionInfo, 'getCodeVersion', 'version', 'get the version information for this server')
  const group = name.startsWith('apis/') ? name.slice('apis/'.length) : ''
  if (group === '' || !isGroup(group)) return undefined
  const words = groupWords(group, false)
  return plain(`/apis/${group}/`, apiGroup, `get${words}APIGroup`, uncapitalized(words), 'get information of a group')
}
