import { type KubeObject, parseGroupVersion } from '@weft/api'
import type { TraceRef } from '@weft/composition'
import type { ReactNode } from 'react'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { Link } from '../routing/navigation.tsx'
import type { ObjectRoute } from '../routing/route.ts'
import { useConsole } from '../session/console.tsx'

export const routeTo = (kind: KindInfo, namespace: string | undefined, name: string): ObjectRoute => ({
  page: 'object',
  group: kind.group,
  plural: kind.plural,
  ...(kind.namespaced && namespace !== undefined && { namespace }),
  name,
})

/** Where the page of an object is; undefined when the server does not know its kind. */
export function useRouteTo(): (object: TraceRef) => ObjectRoute | undefined {
  const { kinds } = useConsole()
  return ({ apiVersion, kind, namespace, name }) => {
    const known = kinds.byKind(parseGroupVersion(apiVersion).group, kind)
    return known && routeTo(known, namespace, name)
  }
}

/** `default/sql` */
export const fullName = ({ metadata: { namespace, name = '' } }: KubeObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** A link to the page of an object; plain text when the server does not know its kind. */
export function ObjectLink({ object, children }: { readonly object: TraceRef; readonly children?: ReactNode }): ReactNode {
  const route = useRouteTo()(object)
  const text = children ?? (
    <>
      {object.kind} {object.namespace !== undefined && <span className="muted">{object.namespace}/</span>}
      {object.name}
    </>
  )
  return route === undefined ? <span>{text}</span> : <Link to={route}>{text}</Link>
}
