import { isJsonObject, parseGroupVersion } from '@weft/api'
import { conditionsOf, externalName, type TraceRef } from '@weft/composition'
import { type ReactNode, useEffect, useRef } from 'react'
import { roleOf } from '../../../kinds/kind-info.ts'
import { find } from '../../../world/world.ts'
import { stateOf, whyNot } from '../../../world/state.ts'
import { conditionReason, conditionWords } from '../../objects/words.ts'
import { Fact } from '../../parts/fact.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { ValueTree } from '../../parts/value-tree.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'

/** What is to be known of a node of the graph, beside it; Escape closes it. */
export function Drawer({ target, onClose }: { readonly target: TraceRef; readonly onClose: () => void }): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  const heading = useRef<HTMLHeadingElement>(null)
  const object = find(world, target)
  const kind = kinds.byKind(parseGroupVersion(target.apiVersion).group, target.kind)
  const role = kind && roleOf(kind)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [target])
  return (
    <aside
      className="drawer"
      aria-label={`${target.kind} ${target.name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="toolbar">
        <h3 ref={heading} tabIndex={-1}>
          {target.kind} {target.namespace !== undefined && <span className="muted">{target.namespace}/</span>}
          {target.name}
        </h3>
        <button type="button" className="small" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      <p>
        <ObjectLink object={target}>Open its page</ObjectLink>
      </p>
      {object === null && <p className="calm">It does not exist.</p>}
      {object === undefined && <p className="calm">You may not see it, or it has not arrived yet.</p>}
      {object && (
        <>
          <p>
            <StateBadge state={stateOf(object, role)} />
          </p>
          {role !== undefined && <p className="why">{whyNot(world, object)}</p>}
          <dl className="facts">
            {role === 'managed' && <Fact name="External name">{externalName(object)}</Fact>}
            {conditionsOf(object).map((condition) => (
              <Fact key={condition.type} name={conditionWords(condition)}>
                {conditionReason(condition)}
              </Fact>
            ))}
          </dl>
          {['spec', 'status'].map((field) =>
            isJsonObject(object[field]) ? (
              <details key={field}>
                <summary>{field}</summary>
                <ValueTree value={object[field]} path={field} depth={1} />
              </details>
            ) : null,
          )}
        </>
      )}
    </aside>
  )
}
