import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo, useState } from 'react'
import { EditObject } from '../../actions/edit-object.tsx'
import { Code } from '../../editor/code.tsx'
import { toYaml } from '../../editor/yaml-text.ts'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { useAccess, wishFor } from '../../session/access.ts'

export default function Yaml({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }): ReactNode {
  const [editing, setEditing] = useState(false)
  const mayUpdate = useAccess(wishFor('update', kind, object.metadata.namespace, object.metadata.name))
  const text = useMemo(() => toYaml(object), [object])
  if (editing) return <EditObject kind={kind} object={object} onDone={() => setEditing(false)} />
  return (
    <section className="card" aria-label="YAML">
      <div className="toolbar">
        <span className="muted">As the server has it, now. Who manages which field is left out.</span>
        {mayUpdate && (
          <button type="button" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
      </div>
      <Code label={`YAML of ${object.kind} ${object.metadata.name ?? ''}`} text={text} />
    </section>
  )
}
