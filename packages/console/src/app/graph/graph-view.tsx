import {
  BaseEdge,
  Background,
  Controls,
  type Edge,
  type EdgeProps,
  getBezierPath,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import type { TraceRef } from '@weft/composition'
import { createContext, memo, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { MiddleEllipsis } from '../parts/middle-ellipsis.tsx'
import { useRouteTo } from '../parts/object-link.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { Link } from '../routing/navigation.tsx'
import { heightOf, layoutModel, NODE_HEIGHT, NODE_WIDTH, type Position as Place, structureOf } from './layout.ts'
import type { GraphModel, GraphNode } from './model.ts'
import { EMPTY_SCENE, type Scene, type SceneEdge, type SceneNode, updateScene } from './update.ts'

type FlowNode = Node<GraphNode & Record<string, unknown>, 'object'>
type FlowEdge = Edge<{ state: GraphNode['state'] }, 'relation'>

export interface GraphViewProps {
  readonly model: GraphModel
  /** The node of the page's own object. */
  readonly focus: string
  /** The node that is looked at beside the graph, which has less room then. */
  readonly peeked: string | undefined
  /** A node was chosen to be looked at, without leaving the graph. */
  readonly onPeek: (ref: TraceRef) => void
}

const Peek = createContext<(ref: TraceRef) => void>(() => undefined)

/** Of the frame: as high as a small graph needs, never higher than a window. */
const LOWEST = 150
const HIGHEST = 560

/** Around the nodes; the buttons stand at the left. */
const PADDING = { x: 0.12, y: 0.12, left: '64px' } as const

/** From here on only what is in the window is drawn. */
const MANY = 150

/** So many times as high as its frame, all of a graph at once is too small to be read. */
const TOO_HIGH = 2.5

/** Last part of the pipeline: draws a scene. Positions are computed only when the structure changes, nodes redrawn only when they do. */
export default function GraphView({ model, focus, peeked, onPeek }: GraphViewProps): ReactNode {
  const structure = structureOf(model)
  // The structure stands for all of the model that the layout reads.
  const positions = useMemo(() => layoutModel(model), [structure])
  const scene = useRef<Scene>(EMPTY_SCENE)
  scene.current = updateScene(scene.current, model, positions)
  const { nodes, edges } = useFlow(scene.current, focus)
  const [flow, setFlow] = useState<ReactFlowInstance<FlowNode, FlowEdge>>()
  const many = nodes.length > MANY
  const height = heightOf(positions)
  const isLarge = many || height > TOO_HIGH * HIGHEST
  useEffect(() => {
    // A hundred nodes at once are a grey stripe: begin at what is beside the object that the page is about.
    const around = isLarge ? { nodes: besides(focus, positions), minZoom: 0.5, maxZoom: 0.8 } : { maxZoom: 1 }
    const fit = (): void => void flow?.fitView({ padding: PADDING, ...around })
    fit()
    return afterDrawing(fit)
  }, [flow, structure, focus, isLarge])
  const wasPeeked = useRef<string>(undefined)
  useEffect(() => {
    const before = wasPeeked.current
    wasPeeked.current = peeked
    if (before === peeked) return
    const place = peeked === undefined ? undefined : positions.get(peeked)
    return afterDrawing(() => {
      // Of a graph that is seen in part, the part with what is looked at; nothing moves when that is closed.
      if (!isLarge) void flow?.fitView({ padding: PADDING, maxZoom: 1 })
      else if (place !== undefined)
        void flow?.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, { zoom: Math.max(0.5, flow.getZoom()) })
    })
  }, [flow, peeked, positions, isLarge])
  return (
    <div className="graph" style={{ height: Math.min(LOWEST + height, HIGHEST) }} role="group" aria-label="Graph of relations">
      <Peek value={onPeek}>
        <ReactFlow<FlowNode, FlowEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onInit={setFlow}
          onlyRenderVisibleElements={many}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          minZoom={0.05}
          maxZoom={1.5}
          preventScrolling={false}
          zoomOnScroll={false}
          panOnScroll={false}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} size={1} />
          <Controls showInteractive={false} />
          {isLarge && (
            <MiniMap
              pannable
              zoomable
              ariaLabel="Map of the whole graph"
              nodeClassName={({ data }) => `mini mini-${String(data['state'])}`}
            />
          )}
        </ReactFlow>
      </Peek>
    </div>
  )
}

/** The frame has another size now, of which the graph hears after the next drawing. Answers how to forget it. */
function afterDrawing(action: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(action)))
  return () => cancelAnimationFrame(frame)
}

/** What a window around a node shows, from one end of the graph to the other; all where the node is not among them. */
function besides(focus: string, positions: ReadonlyMap<string, Place>): { id: string }[] {
  const middle = positions.get(focus)?.y
  const near = [...positions].filter(([, { y }]) => middle === undefined || Math.abs(y - middle) <= HIGHEST / 2)
  return near.map(([id]) => ({ id }))
}

/** Scene objects that stay the same keep the same objects of React Flow. */
function useFlow({ nodes, edges }: Scene, focus: string): { nodes: FlowNode[]; edges: FlowEdge[] } {
  const knownNodes = useRef(new WeakMap<SceneNode, { readonly focused: boolean; readonly node: FlowNode }>())
  const knownEdges = useRef(new WeakMap<SceneEdge, FlowEdge>())
  return useMemo(
    () => ({
      nodes: nodes.map((sceneNode) => {
        const focused = sceneNode.id === focus
        const known = knownNodes.current.get(sceneNode)
        if (known?.focused === focused) return known.node
        const node = flowNode(sceneNode, focused)
        knownNodes.current.set(sceneNode, { focused, node })
        return node
      }),
      edges: edges.map((edge) => {
        const known = knownEdges.current.get(edge) ?? flowEdge(edge)
        knownEdges.current.set(edge, known)
        return known
      }),
    }),
    [nodes, edges, focus],
  )
}

const flowNode = ({ id, position, data }: SceneNode, focused: boolean): FlowNode => ({
  id,
  type: 'object',
  position,
  width: NODE_WIDTH,
  height: NODE_HEIGHT,
  data: { ...data },
  ...(focused && { className: 'focused' }),
})

const flowEdge = ({ id, from, to, state }: SceneEdge): FlowEdge => ({ id, type: 'relation', source: from, target: to, data: { state } })

const ObjectNode = memo(function ObjectNode({ data }: NodeProps<FlowNode>): ReactNode {
  const routeTo = useRouteTo()
  const peek = useContext(Peek)
  const route = data.ref && routeTo(data.ref)
  const body = (
    <>
      <span className="node-kind">
        <span>{data.kind}</span>
        <StateBadge state={data.state} />
      </span>
      <span className="node-name" title={data.name}>
        {data.namespace !== undefined && <span className="muted">{data.namespace}/</span>}
        <MiddleEllipsis text={data.name} />
      </span>
      {data.madeFrom !== undefined && <span className="node-from muted">{data.madeFrom}</span>}
    </>
  )
  const className = `node node-${data.state}${data.folded === undefined ? '' : ' node-fold'}`
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {route === undefined ? (
        <div className={className} title={data.why}>
          {body}
        </div>
      ) : (
        <Link
          to={route}
          className={className}
          title={data.why}
          onClick={(event) => {
            // In another tab it is opened as any link is.
            if (event.metaKey || event.ctrlKey || event.shiftKey || data.ref === undefined) return
            event.preventDefault()
            peek(data.ref)
          }}
        >
          {body}
        </Link>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  )
})

const RelationEdge = memo(function RelationEdge({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<FlowEdge>): ReactNode {
  const [path] = getBezierPath({ sourceX, sourceY, sourcePosition: Position.Right, targetX, targetY, targetPosition: Position.Left })
  return <BaseEdge path={path} className={`edge edge-${data?.state ?? 'hidden'}`} />
})

const NODE_TYPES = { object: ObjectNode }
const EDGE_TYPES = { relation: RelationEdge }
