import type { KubeObject } from '@weft/api'
import type { ReactNode } from 'react'
import { apiVersionOf, type KindInfo, kindKey } from '../../../kinds/kind-info.ts'
import { type CredentialsReport, credentialsReport } from '../../objects/credentials.ts'
import { isUsed } from '../../../world/users.ts'
import { count } from '../../objects/words.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { Loading } from '../../parts/notice.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'
import { useUsers } from '../../session/use-users.ts'

/** Kinds of which providers are told how to reach what they manage. */
const isConfiguration = (kind: KindInfo): boolean =>
  kind.kind !== 'Function' && isUsed({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} })

/** Configurations of providers, and whether the resources that use them are synced. */
export function ProviderConfigs(): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  const meant = useWatched(isConfiguration)
  const knowledge = useKnowledge(isConfiguration)
  const configurations = meant.flatMap((kind) =>
    [...(world.collections.get(kindKey(kind))?.objects.values() ?? [])].map((object) => ({ kind, object })),
  )
  if (kinds.loaded && meant.length === 0) return null
  return (
    <section className="card" aria-labelledby="configurations">
      <h2 id="configurations">Provider configurations</h2>
      {configurations.length === 0 ? (
        <Nothing knowledge={knowledge} what="configurations">
          There are none. A configuration tells a provider where to find credentials, and managed resources name it.
        </Nothing>
      ) : (
        <div className="scroll">
          <table className="stacked">
            <thead>
              <tr>
                <th scope="col">Configuration</th>
                <th scope="col">Used by</th>
                <th scope="col">Credentials</th>
              </tr>
            </thead>
            <tbody>
              {configurations.map(({ kind, object }) => (
                <Configuration key={object.metadata.uid} kind={kind} object={object} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Configuration({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }): ReactNode {
  const { users } = useUsers(object)
  const report = users?.isComplete === true ? credentialsReport(users) : undefined
  const { namespace, name = '' } = object.metadata
  return (
    <tr>
      <th scope="row">
        <Link to={routeTo(kind, namespace, name)}>
          {namespace !== undefined && `${namespace}/`}
          {name}
        </Link>{' '}
        <span className="muted">
          {kind.kind} · {kind.group}
        </span>
      </th>
      <td data-title="Used by">{report === undefined ? <Loading what="what uses it" /> : count(report.users, 'resource')}</td>
      <td data-title="Credentials">
        <div>{report !== undefined && <Verdict report={report} />}</div>
      </td>
    </tr>
  )
}

function Verdict({ report }: { readonly report: CredentialsReport }): ReactNode {
  switch (report.verdict) {
    case 'untried':
      return <span className="muted">{report.users === 0 ? 'Not used yet' : 'Not checked yet'}</span>
    case 'works':
      return (
        <>
          <span className="state state-ready">Works</span> The resources that use it are synced
        </>
      )
    case 'partly':
      return (
        <>
          <span className="state state-waiting">Partly working</span>{' '}
          <span className="why">
            {count(report.failing, 'resource')} of {report.users} cannot be synced: {report.why}
          </span>
        </>
      )
    case 'fails':
      return (
        <>
          <span className="state state-failed">Not working</span> <span className="why">{report.why}</span>
        </>
      )
  }
}
