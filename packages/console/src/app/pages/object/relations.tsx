import type { KubeObject } from '@weft/api'
import { traceKey, type TraceRef } from '@weft/composition'
import { lazy, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { filterModel } from '../../graph/filter.ts'
import { modelOf } from '../../graph/model.ts'
import { topOf } from '../../../world/top-of.ts'
import { Tree } from '../../graph/tree-view.tsx'
import { refOf } from '../../../world/state.ts'
import { count } from '../../objects/words.ts'
import { Fallible } from '../../parts/fallible.tsx'
import { Loading } from '../../parts/notice.tsx'
import { useWorld } from '../../session/console.tsx'
import { Drawer } from './drawer.tsx'
import { useRelated } from './use-related.ts'

const GraphView = lazy(() => import('../../graph/graph-view.tsx'))

type Shape = 'graph' | 'tree'
const FOLD_ABOVE = 40

/** Intent → composite or group → members → external resources: what this object belongs to, as a graph or as a tree. */
export function Relations({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const [shape, setShape] = useState<Shape>(() => (window.matchMedia('(max-width: 720px)').matches ? 'tree' : 'graph'))
  const [text, setText] = useState('')
  const [problemsOnly, setProblemsOnly] = useState(false)
  const [foldReady, setFoldReady] = useState(true)
  const [peeked, setPeeked] = useState<TraceRef>()
  const wanted = useDeferredValue(text)
  const self = useMemo(() => refOf(object), [object])
  const model = useMemo(() => modelOf(world, topOf(world, self)), [world, self])
  const shown = useMemo(
    () => filterModel(model, { text: wanted, problemsOnly, external: true, foldAbove: foldReady ? FOLD_ABOVE : 0 }),
    [model, wanted, problemsOnly, foldReady],
  )
  const { isSettled } = useRelated(object)
  const focus = traceKey(self)
  const large = model.nodes.length > FOLD_ABOVE
  return (
    <section className="card relations" aria-labelledby="relations">
      <div className="toolbar">
        <h2 id="relations">Relations</h2>
        <div role="radiogroup" aria-label="Show as" className="segments">
          {(['graph', 'tree'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name="shape" checked={shape === each} onChange={() => setShape(each)} />
              <span>{each === 'graph' ? 'Graph' : 'Tree'}</span>
            </label>
          ))}
        </div>
        <label>
          Find <input type="search" value={text} size={14} onChange={(event) => setText(event.target.value)} />
        </label>
        <label className="check">
          <input type="checkbox" checked={problemsOnly} onChange={(event) => setProblemsOnly(event.target.checked)} /> Only what is not
          ready
        </label>
        {large && (
          <label className="check">
            <input type="checkbox" checked={foldReady} onChange={(event) => setFoldReady(event.target.checked)} /> Fold alike
          </label>
        )}
        <span className="muted" role="status">
          {shown.nodes.length === model.nodes.length
            ? count(model.nodes.length, 'node')
            : `${shown.nodes.length} of ${count(model.nodes.length, 'node')}`}
        </span>
      </div>
      {!isSettled ? (
        <Loading what="relations" />
      ) : shape === 'graph' ? (
        <Fallible what="the graph">
          <div className={peeked === undefined ? undefined : 'with-drawer'}>
            <GraphView model={shown} focus={focus} peeked={peeked && traceKey(peeked)} onPeek={setPeeked} />
            {peeked !== undefined && <Drawer target={peeked} onClose={() => setPeeked(undefined)} />}
          </div>
        </Fallible>
      ) : (
        <Tree model={shown} focus={focus} />
      )}
    </section>
  )
}
