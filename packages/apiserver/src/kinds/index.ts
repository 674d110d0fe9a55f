import { type GroupVersionKind, formatGroupKind } from '@weft/api'
import { admissionregistrationKinds } from './admissionregistration/kinds.ts'
import { apiextensionsKinds } from './apiextensions/kinds.ts'
import { apiregistrationKinds } from './apiregistration/kinds.ts'
import { authenticationKinds } from './authentication/kinds.ts'
import { authorizationKinds } from './authorization/kinds.ts'
import { scale } from './autoscaling/messages.ts'
import { certificatesKinds } from './certificates/kinds.ts'
import { coordinationKinds } from './coordination/kinds.ts'
import { coreKinds } from './core/kinds.ts'
import { eventsKinds } from './events/kinds.ts'
import { flowcontrolKinds } from './flowcontrol/kinds.ts'
import { type BuiltinKind, listMessage } from './kind.ts'
import { type Message, reachable } from './message.ts'
import { apiGroup, apiGroupDiscoveryList, apiGroupList, apiResourceList, apiVersions } from './discovery.ts'
import { deleteOptions, partialObjectMetadata, partialObjectMetadataList, partialObjectMetadataListBeta, status } from './meta.ts'
import { rbacKinds } from './rbac/kinds.ts'
import { storedKinds } from './stored/index.ts'

export { scaleColumns } from './autoscaling/columns.ts'
export { type Column, createdAtColumn } from './column.ts'
export { type BuiltinKind, type Verb } from './kind.ts'
export { addressesOf, isExternalName, isHeadless, linkedAddresses, withAddresses, withFamilies } from './core/service-addresses.ts'
export { healthPortOf, nodePortsOf, takesNodePorts, takesPortsByItself, withKeptPorts, withNodePorts } from './core/service-ports.ts'
export { Message } from './message.ts'
export { listMeta } from './meta.ts'
export { componentOf, openApiV2, schemaOf } from './schema.ts'
export { storedKindsOf } from './stored/index.ts'
export { type NameRule, type Strategy, strategy } from './strategy.ts'
export { conform } from './typed-json.ts'

/** Every built-in kind that each server serves. All else about them is derived from these rows. */
export const builtinKinds: readonly BuiltinKind[] = [
  ...coreKinds,
  ...apiregistrationKinds,
  ...eventsKinds,
  ...authenticationKinds,
  ...authorizationKinds,
  ...certificatesKinds,
  ...rbacKinds,
  ...admissionregistrationKinds,
  ...apiextensionsKinds,
  ...coordinationKinds,
  ...flowcontrolKinds,
]

const byGroupKind: ReadonlyMap<string, BuiltinKind> = new Map(builtinKinds.map((row) => [formatGroupKind(row), row]))
const byGroupResource: ReadonlyMap<string, BuiltinKind> = new Map(builtinKinds.map((row) => [`${row.group}/${row.plural}`, row]))

export const findBuiltin = (group: string, kind: string): BuiltinKind | undefined => byGroupKind.get(formatGroupKind({ group, kind }))

export const findBuiltinResource = (group: string, plural: string): BuiltinKind | undefined => byGroupResource.get(`${group}/${plural}`)

/**
 * The message that a body of this kind carries: for the kinds above, the bodies of their subresources, and the kinds
 * that every group knows (DeleteOptions travels under the group and version of what is deleted).
 */
export function messageFor({ group, version, kind }: GroupVersionKind): Message | undefined {
  if (kind === 'DeleteOptions') return deleteOptions
  const row = findBuiltin(group, kind)
  if (row?.version === version) return row.message
  return otherBodies().get(`${group}/${version}/${kind}`) ?? findStored(group, version, kind)?.message
}

const findStored = (group: string, version: string, kind: string): BuiltinKind | undefined =>
  storedKinds().find((row) => row.kind === kind && row.group === group && row.version === version)

const listOfStored = ({ group, version, kind }: GroupVersionKind): Message | undefined => {
  const row = kind.endsWith('List') ? findStored(group, version, kind.slice(0, -'List'.length)) : undefined
  return row && listMessage(row)
}

let others: ReadonlyMap<string, Message> | undefined

function otherBodies(): ReadonlyMap<string, Message> {
  others ??= new Map([
    ['autoscaling/v1/Scale', scale],
    ['/v1/Status', status],
    ...builtinKinds
      .flatMap((row) => row.subresources)
      .flatMap(({ kind, message }): [string, Message][] => (kind ? [[`${kind.group}/${kind.version}/${kind.kind}`, message]] : [])),
  ])
  return others
}

/** The message of an answer: besides bodies, lists, metadata alone, and what the server tells of itself. */
export function answerMessageFor(gvk: GroupVersionKind): Message | undefined {
  return messageFor(gvk) ?? answerBodies().get(`${gvk.group}/${gvk.version}/${gvk.kind}`) ?? listOfStored(gvk)
}

/** Every message that travels by itself. */
export const answerMessages = (): readonly Message[] => [
  deleteOptions,
  ...[...builtinKinds, ...storedKinds()].map(({ message }) => message),
  ...otherBodies().values(),
  ...answerBodies().values(),
]

let answers: ReadonlyMap<string, Message> | undefined

function answerBodies(): ReadonlyMap<string, Message> {
  answers ??= new Map([
    ...builtinKinds
      .filter((row) => row.listKind !== '')
      .map((row): [string, Message] => [`${row.group}/${row.version}/${row.listKind}`, listMessage(row)]),
    ['meta.k8s.io/v1/PartialObjectMetadata', partialObjectMetadata],
    ['meta.k8s.io/v1/PartialObjectMetadataList', partialObjectMetadataList],
    ['meta.k8s.io/v1beta1/PartialObjectMetadata', partialObjectMetadata],
    ['meta.k8s.io/v1beta1/PartialObjectMetadataList', partialObjectMetadataListBeta],
    ['/v1/APIGroup', apiGroup],
    ['/v1/APIGroupList', apiGroupList],
    ['/v1/APIResourceList', apiResourceList],
    ['/v1/APIVersions', apiVersions],
    // Two of them name no version.
    ['//APIResourceList', apiResourceList],
    ['//APIVersions', apiVersions],
    ['apidiscovery.k8s.io/v2/APIGroupDiscoveryList', apiGroupDiscoveryList],
    ['apidiscovery.k8s.io/v2beta1/APIGroupDiscoveryList', apiGroupDiscoveryList],
  ])
  return answers
}

/** Messages that `rows` publish in OpenAPI, by component name: their own, their lists', options and statuses. */
export function publishedMessages(rows: Iterable<BuiltinKind> = builtinKinds): Map<string, Message> {
  const roots: Message[] = [deleteOptions, status]
  for (const row of rows) {
    roots.push(row.message, ...row.subresources.map(({ message }) => message))
    if (row.verbs.includes('list')) roots.push(listMessage(row))
  }
  return reachable(roots)
}
