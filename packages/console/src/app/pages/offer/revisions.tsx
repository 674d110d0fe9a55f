import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { controllerOf } from '@weft/composition'
import { lazy, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import { kindKey } from '../../../kinds/kind-info.ts'
import { refOf } from '../../../world/state.ts'
import { Fallible } from '../../parts/fallible.tsx'
import { Nothing } from '../../parts/nothing.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'

const Difference = lazy(() => import('./difference.tsx'))

/** Older and newer versions of a composition or package, and what differs between two of them. Nothing where the server keeps none of this kind. */
export function Revisions({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }): ReactNode {
  const { kinds } = useConsole()
  const revisionKind = kinds.byKind(kind.group, `${kind.kind}Revision`)
  return revisionKind === undefined ? null : <OfKind kind={revisionKind} object={object} />
}

function OfKind({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const { watchAlso } = useConsole()
  const key = kindKey(kind)
  useEffect(() => watchAlso([{ apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind }]), [watchAlso, kind])
  const knowledge = useKnowledge((each) => kindKey(each) === key)
  const revisions = useMemo(
    () =>
      [...(world.collections.get(key)?.objects.values() ?? [])]
        .filter((each) => controllerOf(each)?.uid === object.metadata.uid)
        .sort((a, b) => numberOf(b) - numberOf(a) || createdAt(b).localeCompare(createdAt(a))),
    [world, key, object],
  )
  return (
    <section className="card wide" aria-labelledby="revisions">
      <h2 id="revisions">Revisions {revisions.length > 0 && <span className="pill">{revisions.length}</span>}</h2>
      {revisions.length === 0 ? (
        <Nothing knowledge={knowledge} what="revisions">
          None is kept.
        </Nothing>
      ) : (
        <ul className="plain">
          {revisions.map((revision) => (
            <li key={revision.metadata.uid}>
              {numberOf(revision) > 0 && <strong>{numberOf(revision)}</strong>}{' '}
              <ObjectLink object={refOf(revision)}>{revision.metadata.name}</ObjectLink>{' '}
              {field(revision, 'desiredState') === 'Active' && <span className="pill">active</span>}{' '}
              <span className="muted">
                {textField(revision, 'image')} <TimeAgo at={revision.metadata.creationTimestamp} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {revisions.length > 1 && <Compare revisions={revisions} />}
    </section>
  )
}

const field = (object: KubeObject, name: string): unknown => (isJsonObject(object['spec']) ? getOwn(object['spec'], name) : undefined)
const numberOf = (object: KubeObject): number => Number(field(object, 'revision') ?? 0)
const textField = (object: KubeObject, name: string): string => {
  const value = field(object, name)
  return typeof value === 'string' ? value : ''
}
const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? ''

function Compare({ revisions }: { readonly revisions: readonly KubeObject[] }): ReactNode {
  const id = useId()
  const [chosen, setChosen] = useState<readonly [older: string | undefined, newer: string | undefined]>([undefined, undefined])
  const [isShown, setShown] = useState(false)
  const byName = (name: string | undefined, otherwise: number): KubeObject | undefined =>
    revisions.find(({ metadata }) => metadata.name === name) ?? revisions[otherwise]
  const older = byName(chosen[0], 1)
  const newer = byName(chosen[1], 0)
  const select = (label: string, value: KubeObject | undefined, onChoose: (name: string) => void): ReactNode => (
    <label htmlFor={`${id}-${label}`}>
      {label}{' '}
      <select id={`${id}-${label}`} value={value?.metadata.name} onChange={(event) => onChoose(event.target.value)}>
        {revisions.map(({ metadata }) => (
          <option key={metadata.uid} value={metadata.name}>
            {metadata.name}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <>
      <div className="toolbar">
        {select('From', older, (name) => setChosen([name, chosen[1]]))}
        {select('To', newer, (name) => setChosen([chosen[0], name]))}
        <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the difference' : 'Show the difference'}
        </button>
      </div>
      {isShown && older !== undefined && newer !== undefined && (
        <Fallible what="the difference">
          <Difference before={older} after={newer} />
        </Fallible>
      )}
    </>
  )
}
