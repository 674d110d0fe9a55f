import { isJsonObject, type KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { EditObject } from '../../edit/edit-object.tsx'
import { Code } from '../../editor/code.tsx'
import { partToYaml, toYaml } from '../../editor/yaml-text.ts'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ValueTree } from '../../parts/value-tree.tsx'
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
    <div className="contents">
      <section className="card" aria-label="Spec and status">
        {SECTIONS.flatMap((field) =>
          isJsonObject(object[field]) && Object.keys(object[field]).length > 0
            ? [
                <section key={field} aria-label={field}>
                  <h2>
                    {field} <CopyButton text={partToYaml({ [field]: object[field] })} what={`${field} as YAML`} />
                  </h2>
                  <ValueTree value={object[field]} path={field} />
                </section>,
              ]
            : [],
        )}
        <section aria-label="metadata">
          <h2>metadata</h2>
          <ValueTree value={shownMetadata(object)} path="metadata" depth={1} />
        </section>
      </section>
      <section className="card" aria-label="YAML">
        <div className="toolbar">
          <h2>YAML</h2>
          <span className="muted">The object as it is stored now, without managed fields.</span>
          <CopyButton text={text} what="the YAML">
            Copy
          </CopyButton>
          {mayUpdate && (
            <button type="button" onClick={() => edit(true)}>
              Edit
            </button>
          )}
        </div>
        <Code label={`YAML of ${object.kind} ${object.metadata.name ?? ''}`} text={text} />
      </section>
    </div>
  )
}

/** Classes and bindings have their content elsewhere than most. */
const SECTIONS = ['spec', 'specTemplate', 'status', 'data', 'aggregationRule']

function shownMetadata(object: KubeObject): object {
  const { managedFields: _, ...metadata } = object.metadata
  return metadata
}
