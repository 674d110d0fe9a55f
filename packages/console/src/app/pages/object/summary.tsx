import { type Condition, type KubeObject } from '@weft/api'
import { conditionsOf, connectionSecretRef } from '@weft/composition'
import { lazy, type ReactNode } from 'react'
import { type KindInfo, LIVING_ROLES, type Role } from '../../../kinds/kind-info.ts'
import { conditionReason, conditionWords } from '../../objects/words.ts'
import { isPackage } from '../../objects/installed-packages.ts'
import { makesOf } from '../../../world/makes.ts'
import { isUsed } from '../../../world/users.ts'
import { Fallible } from '../../parts/fallible.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useWatched } from '../../session/use-knowledge.ts'
import { Makes } from '../catalogue/makes.tsx'
import { Revisions } from '../offer/revisions.tsx'
import { Steps } from '../offer/steps.tsx'
import { UsedBy } from '../offer/used-by.tsx'
import { Connection } from './connection.tsx'
import { Details } from './details.tsx'
import { Events } from './events.tsx'
import { ExternalResource } from './external-resource.tsx'
import { Pipeline } from './pipeline.tsx'
import { Relations } from './relations.tsx'

const SchemaExplorer = lazy(() => import('../offer/schema-explorer.tsx'))
const PackageContents = lazy(() => import('../packages/package-contents.tsx'))

/** Steps of a composition name functions. */
const isFunction = ({ group, kind }: KindInfo): boolean => group === 'pkg.crossplane.io' && kind === 'Function'
const isNone = (): boolean => false

export interface SummaryProps {
  readonly kind: KindInfo
  readonly role: Role | undefined
  readonly object: KubeObject
}

export function Summary({ kind, role, object }: SummaryProps): ReactNode {
  const secret = connectionSecretRef(object)
  useWatched(role === 'composition' ? isFunction : isNone)
  const isOffer = role === 'class' || role === 'composition' || role === 'definition'
  const living = role === undefined || LIVING_ROLES.includes(role)
  return (
    <div className="summary">
      {living && role !== undefined && <Relations object={object} />}
      {living && <Pipeline object={object} />}
      {isOffer && <Makes object={object} />}
      {(role === 'composition' || object.kind === 'CompositionRevision') && <Steps object={object} />}
      {role === 'definition' && <DefinedFields object={object} />}
      {isPackage(kind) && (
        <Fallible what="the package">
          <PackageContents object={object} />
        </Fallible>
      )}
      {(role === 'composition' || kind.group === 'pkg.crossplane.io') && <Revisions kind={kind} object={object} />}
      {(isOffer || isUsed(object)) && <UsedBy object={object} />}
      {role !== 'class' && role !== 'composition' && <Conditions conditions={conditionsOf(object)} />}
      {role === 'managed' && <ExternalResource kind={kind} object={object} />}
      <Events object={object} />
      {living && secret?.name !== undefined && (
        <Connection
          name={secret.name}
          namespace={secret.namespace ?? object.metadata.namespace ?? 'default'}
          version={object.metadata.resourceVersion ?? ''}
        />
      )}
      <Details object={object} />
    </div>
  )
}

/** The fields of what a definition defines, once the server serves it. */
function DefinedFields({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  const defined = makesOf(world, object).flatMap(({ group, kind }) => kinds.byKind(group, kind) ?? [])[0]
  return (
    defined !== undefined && (
      <Fallible what="the schema">
        <SchemaExplorer kind={defined} />
      </Fallible>
    )
  )
}

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }): ReactNode {
  return (
    <section className="card" aria-labelledby="conditions">
      <h2 id="conditions">Conditions</h2>
      {conditions.length === 0 ? (
        <p className="calm">No conditions have been reported.</p>
      ) : (
        <dl className="conditions">
          {conditions.map((condition) => (
            <div key={condition.type} className={`condition condition-${condition.status.toLowerCase()}`}>
              <dt>{conditionWords(condition)}</dt>
              <dd>
                <LongText text={conditionReason(condition)} />{' '}
                <span className="muted">
                  since <TimeAgo at={condition.lastTransitionTime} />
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
