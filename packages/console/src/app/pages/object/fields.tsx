import { useQuery } from '@tanstack/react-query'
import { type KubeObject, parseGroupVersion, StatusError } from '@weft/api'
import { ownerOf } from '@weft/composition'
import type { ReactNode } from 'react'
import type { Rendered, RenderedObject } from '../../../contract.ts'
import { decidesOffers } from '../../../world/makes.ts'
import { find } from '../../../world/world.ts'
import { renderContext } from '../../objects/render-context.ts'
import { refOf } from '../../../world/state.ts'
import { childrenIn } from '../../objects/children.ts'
import { Failure, Loading, Notes, Notice } from '../../parts/notice.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { useRelated } from './use-related.ts'

/** Which patch, base or machinery set which field: of this object when it is composed, else of what is composed for it. */
export default function Fields({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const { api } = useConsole()
  const owner = ownerOf(object)
  const composer = owner === undefined ? object : (find(world, owner) ?? undefined)
  // What decides it are definitions, classes and compositions: by a link, the object is there before they are.
  const knowledge = useKnowledge(decidesOffers)
  const { isSettled } = useRelated(object)
  const isComplete = isSettled && knowledge.phase !== 'loading'
  const render = useQuery({
    queryKey: ['fields', composer?.metadata.uid, composer?.metadata.resourceVersion],
    enabled: composer !== undefined && isComplete,
    retry: false,
    queryFn: ({ signal }) => {
      const intent = composer ?? object
      const observed = childrenIn(world, intent)
      return api.send<Rendered>('POST', '/console/render', { intent, context: renderContext(world, intent), observed }, { signal })
    },
  })
  if (composer === undefined && !isComplete) return <Loading what="what this was created for" />
  if (composer === undefined)
    return <Notice tone="info">You may not see what this object was created for, so its fields cannot be explained.</Notice>
  if (render.error instanceof StatusError && render.error.code === 501)
    return <Notice tone="info">This server cannot show where fields come from.</Notice>
  const all = render.data?.objects ?? []
  const notes = render.data?.notes ?? []
  const own = owner === undefined ? all : all.filter((each) => isSame(each.object, object))
  return (
    <section className="card" aria-label="Where fields come from">
      {owner !== undefined && (
        <p className="muted">
          Composed for <ObjectLink object={owner} />.
        </p>
      )}
      {render.isPending && <Loading what="where fields come from" />}
      <Failure error={render.error} doing="The result cannot be rendered" />
      {render.data !== undefined && own.length === 0 && notes.length === 0 && (
        <p className="calm">This object is not composed: its author set its fields.</p>
      )}
      {/* Where nothing could be rendered, the notes say why: nothing else may be claimed. */}
      {own.length === 0 ? (
        notes.map((note) => (
          <Notice key={note} tone="info">
            {note}
          </Notice>
        ))
      ) : (
        <Notes notes={notes} />
      )}
      {own.map((each) => (
        <Origins key={`${each.object.kind} ${each.object.metadata.name ?? ''}`} rendered={each} />
      ))}
    </section>
  )
}

const isSame = (a: KubeObject, b: KubeObject): boolean =>
  a.kind === b.kind &&
  a.metadata.name === b.metadata.name &&
  parseGroupVersion(a.apiVersion).group === parseGroupVersion(b.apiVersion).group

/** Of these nobody asks where they come from: the server counts writes and writers in them. */
const SERVERS_OWN = /^metadata\.(managedFields|resourceVersion|generation|creationTimestamp|uid|selfLink)\b/

function Origins({ rendered: { object, origins: all = [] } }: { readonly rendered: RenderedObject }): ReactNode {
  const origins = all.filter(({ path }) => !SERVERS_OWN.test(path))
  return (
    <>
      <h2>
        <ObjectLink object={refOf(object)} />
      </h2>
      {origins.length === 0 ? (
        <p className="calm">Nothing is known about its fields.</p>
      ) : (
        <div className="scroll" tabIndex={0} role="group" aria-label={`Fields of ${object.kind} ${object.metadata.name ?? ''}`}>
          <table className="even stacked">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Set by</th>
              </tr>
            </thead>
            <tbody>
              {origins.map(({ path, from }) => (
                <tr key={path}>
                  <th scope="row">
                    <code>{path}</code>
                  </th>
                  <td data-title="Set by">{from}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
