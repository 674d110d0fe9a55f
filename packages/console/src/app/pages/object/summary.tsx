import { type Condition, type KubeObject } from '@weft/api'
import { conditionsOf, connectionSecretRef } from '@weft/composition'
import type { ReactNode } from 'react'
import { type KindInfo, LIVING_ROLES, type Role } from '../../kinds/kind-info.ts'
import { conditionReason, conditionWords } from '../../objects/words.ts'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Makes } from '../catalogue/makes.tsx'
import { Connection } from './connection.tsx'
import { Details } from './details.tsx'
import { Events } from './events.tsx'
import { Relations } from './relations.tsx'

export interface SummaryProps {
  readonly kind: KindInfo
  readonly role: Role | undefined
  readonly object: KubeObject
}

export function Summary({ kind, role, object }: SummaryProps): ReactNode {
  const secret = connectionSecretRef(object)
  const living = role === undefined || LIVING_ROLES.includes(role)
  return (
    <div className="summary">
      {living && role !== undefined && <Relations object={object} />}
      {(role === 'class' || role === 'composition' || role === 'definition') && <Makes object={object} />}
      {role !== 'class' && role !== 'composition' && <Conditions conditions={conditionsOf(object)} />}
      <Events object={object} />
      {living && secret?.name !== undefined && (
        <Connection
          name={secret.name}
          namespace={secret.namespace ?? object.metadata.namespace ?? 'default'}
          version={object.metadata.resourceVersion ?? ''}
        />
      )}
      <Details kind={kind} object={object} />
    </div>
  )
}

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }): ReactNode {
  return (
    <section className="card" aria-labelledby="conditions">
      <h2 id="conditions">Conditions</h2>
      {conditions.length === 0 ? (
        <p className="calm">None is reported.</p>
      ) : (
        <dl className="conditions">
          {conditions.map((condition) => (
            <div key={condition.type} className={`condition condition-${condition.status.toLowerCase()}`}>
              <dt>{conditionWords(condition)}</dt>
              <dd>
                {conditionReason(condition)}{' '}
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
