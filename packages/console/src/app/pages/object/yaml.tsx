import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { EditObject } from '../../actions/edit-object.tsx'
import { Code } from '../../editor/code.tsx'
import { toYaml } from '../../editor/yaml-text.ts'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { navigate } from '../../routing/navigation.tsx'
import type { ObjectRoute } from '../../routing/route.ts'
import { useAccess, wishFor } from '../../session/access.ts'

export interface YamlProps {
  readonly kind: KindInfo
  readonly object: KubeObject
  readonly route: ObjectRoute
}

export default function Yaml({ kind, object, route }: YamlProps): ReactNode {
  const edit = (editing: boolean): void => {
    const { edit: _, ...rest } = route
    navigate({ ...rest, view: 'yaml', ...(editing && { edit: true }) }, { replace: true })
  }
  const mayUpdate = useAccess(wishFor('update', kind, object.metadata.namespace, object.metadata.name))
  const text = useMemo(() => toYaml(object), [object])
  if (route.edit === true && mayUpdate === true) return <EditObject kind={kind} object={object} onDone={() => edit(false)} />
  return (
    <section className="card" aria-label="YAML">
      <div className="toolbar">
        <span className="muted">As the server has it, now. Who manages which field is left out.</span>
        {mayUpdate && (
          <button type="button" onClick={() => edit(true)}>
            Edit
          </button>
        )}
      </div>
      <Code label={`YAML of ${object.kind} ${object.metadata.name ?? ''}`} text={text} />
    </section>
  )
}
