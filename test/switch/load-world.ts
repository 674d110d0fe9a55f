import { formatGroupKind, gvkOf, hasReason, type KubeObject } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { eventually } from '@weft/testing'

/**
 * Makes a world through the API of any server, owners first. A server gives uids of its own: wherever an old one stands, in references, names and
 * owned fields, the new one is put. Answers what is there then, as the server has it.
 */
export async function loadWorld(client: Client, world: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const uids = new Map<string, string>()
  const made: KubeObject[] = []
  for (const given of ownersFirst(world)) {
    const object = renamed(given, uids)
    const live = await make(client, object)
    if (given.metadata.uid !== undefined && live.metadata.uid !== undefined) uids.set(given.metadata.uid, live.metadata.uid)
    made.push(live)
  }
  return made
}

function renamed(object: KubeObject, uids: ReadonlyMap<string, string>): KubeObject {
  let text = JSON.stringify(object)
  for (const [old, now] of uids) text = text.replaceAll(old, now)
  return JSON.parse(text) as KubeObject
}

async function make(client: Client, object: KubeObject): Promise<KubeObject> {
  const {
    uid: _uid,
    resourceVersion: _version,
    managedFields,
    generation: _generation,
    creationTimestamp: _time,
    ...metadata
  } = object.metadata
  const { status, ...rest } = object
  const first = await creating(client, { ...rest, metadata } as KubeObject)
  const created = await naming(client, first, object.metadata.uid)
  const { name = '', namespace } = created.metadata
  if (object.kind === 'CustomResourceDefinition') {
    await eventually(async () => {
      const { status: now } = await client.get(customResourceDefinitionKind, { name })
      if (now?.conditions?.some((each) => each.type === 'Established' && each.status === 'True') !== true)
        throw new Error(`${name} is not served`)
    })
    return client.get(customResourceDefinitionKind, { name })
  }
  // What is owned by whom is taken from a write that changes nothing else.
  const owned =
    managedFields === undefined ? created : await client.update({ ...created, metadata: { ...created.metadata, managedFields } })
  if (status === undefined || created.kind === 'Namespace') return owned
  await client.updateStatus({ ...owned, status, ...(managedFields && { metadata: { ...owned.metadata, managedFields } }) } as KubeObject)
  return client.get(gvkOf(object), { name, namespace })
}

/** Some objects speak of their own uid, which they have only now. */
function naming(client: Client, created: KubeObject, old: string | undefined): Promise<KubeObject> {
  const { metadata, ...rest } = created
  const text = JSON.stringify(rest)
  if (old === undefined || !text.includes(old)) return Promise.resolve(created)
  return client.update({ ...(JSON.parse(text.replaceAll(old, metadata.uid ?? '')) as KubeObject), metadata })
}

/** A real server needs a moment until it serves a kind that is established. */
const creating = (client: Client, object: KubeObject): Promise<KubeObject> =>
  eventually(() =>
    client.create(object).catch((error: unknown) => {
      const { name = '', namespace } = object.metadata
      if (hasReason(error, 'AlreadyExists')) return client.get(gvkOf(object), { name, namespace })
      throw error
    }),
  )

/** What an object needs comes before it: its kind, its namespace, and whatever it is owned by. */
function ownersFirst(world: readonly KubeObject[]): readonly KubeObject[] {
  const byUid = new Map(world.map((object) => [object.metadata.uid, object]))
  const namespaces = new Map(world.filter(({ kind }) => kind === 'Namespace').map((object) => [object.metadata.name, object]))
  const kinds = new Map(
    world
      .filter((object): object is CustomResourceDefinition => object.kind === 'CustomResourceDefinition')
      .map((crd) => [formatGroupKind({ group: crd.spec.group, kind: crd.spec.names.kind }), crd]),
  )
  const order = new Set<KubeObject>()
  const under = new Set<KubeObject>()
  const visit = (object: KubeObject | undefined): void => {
    if (object === undefined || order.has(object) || under.has(object)) return
    under.add(object)
    visit(kinds.get(formatGroupKind(gvkOf(object))))
    visit(namespaces.get(object.metadata.namespace))
    for (const { uid } of object.metadata.ownerReferences ?? []) visit(byUid.get(uid))
    order.add(object)
  }
  for (const object of world) visit(object)
  return [...order]
}
