import { describe, expect, it } from 'vitest'
import { CLAIM, claimOfServers, collectionOf, GROUP, MANAGED, objectOf, refTo, worldOf } from '../../world/testing.fixture.ts'
import { filterModel, SHOW_ALL } from './filter.ts'
import { heightOf, layoutModel, NODE_HEIGHT, NODE_WIDTH, structureOf } from './layout.ts'
import { topOf } from '../../world/top-of.ts'
import { type GraphModel, modelOf } from './model.ts'
import { rowsOf, treeOf } from './tree.ts'
import { EMPTY_SCENE, updateScene } from './update.ts'

const claimRef = { ...refTo(CLAIM, 'c'), namespace: 'default' }
const names = (model: GraphModel): readonly string[] => model.nodes.map(({ name }) => name)

describe('model', () => {
  it('goes from the intent through the group to its members and what they stand for', () => {
    const model = modelOf(claimOfServers(2), claimRef)
    expect(names(model)).toEqual(['c', 'g', 'server-0', 'server-0', 'server-1', 'server-1'])
    expect(model.nodes.filter(({ state }) => state === 'external')).toHaveLength(2)
    expect(model.edges).toHaveLength(5)
  })

  it('finds the intent from any member', () => {
    const world = claimOfServers(2)
    expect(topOf(world, refTo(MANAGED, 'server-1'))).toMatchObject({ kind: 'Claim', name: 'c', namespace: 'default' })
    expect(topOf(world, refTo(MANAGED, 'server-7'))).toMatchObject({ name: 'server-7' })
  })

  it('tells what does not exist from what may not be seen', () => {
    const claim = objectOf(CLAIM, 'c', { spec: { resourceRef: refTo(GROUP, 'gone') } })
    const missing = modelOf(worldOf(collectionOf(CLAIM, [claim]), collectionOf(GROUP, [])), claimRef)
    expect(missing.nodes[1]?.state).toBe('missing')
    const refused = worldOf(
      collectionOf(CLAIM, [claim]),
      collectionOf(GROUP, [], { loaded: false, state: { phase: 'refused', why: 'no' } }),
    )
    expect(modelOf(refused, claimRef).nodes[1]).toMatchObject({ state: 'hidden' })
    expect(modelOf(refused, claimRef).nodes[1]?.why).toBeUndefined()
  })

  it('draws an object that two others name once, and ends on cycles', () => {
    const a = objectOf(GROUP, 'a', { status: { resources: [refTo(GROUP, 'b'), refTo(MANAGED, 's')] } })
    const b = objectOf(GROUP, 'b', { status: { resources: [refTo(GROUP, 'a'), refTo(MANAGED, 's')] } })
    const world = worldOf(collectionOf(GROUP, [a, b]), collectionOf(MANAGED, [objectOf(MANAGED, 's')]))
    const model = modelOf(world, refTo(GROUP, 'a'))
    expect(names(model).toSorted()).toEqual(['a', 'b', 's'])
    expect(treeOf(model)?.children.map(({ node }) => node.name)).toEqual(['b'])
  })

  it('shows what is paused as paused', () => {
    const claim = objectOf(CLAIM, 'c', { ready: 'True', metadata: { annotations: { 'crossplane.io/paused': 'true' } } })
    expect(modelOf(worldOf(collectionOf(CLAIM, [claim])), claimRef).nodes[0]?.state).toBe('paused')
  })
})

describe('filter', () => {
  const model = modelOf(
    claimOfServers(5, (i) => ({ ready: i === 3 ? 'False' : 'True', synced: 'True' })),
    claimRef,
  )

  it('keeps what matches, and what leads there', () => {
    expect(names(filterModel(model, { ...SHOW_ALL, text: 'server-3', external: false }))).toEqual(['c', 'g', 'server-3'])
    expect(names(filterModel(model, { ...SHOW_ALL, text: 'no such thing' }))).toEqual(['c'])
  })

  it('keeps what is not ready', () => {
    expect(names(filterModel(model, { ...SHOW_ALL, problemsOnly: true }))).toEqual(['c', 'g', 'server-3'])
  })

  it('folds alike siblings with what they stand for, never those in trouble among the ready', () => {
    const folded = filterModel(model, { ...SHOW_ALL, foldAbove: 3 })
    expect(folded.nodes.find((node) => node.folded !== undefined)).toMatchObject({ folded: 4, state: 'ready', kind: 'Server' })
    expect(names(folded)).toContain('server-3')
    expect(folded.edges.every(({ from, to }) => [from, to].every((id) => folded.nodes.some((node) => node.id === id)))).toBe(true)
  })

  it('changes nothing when nothing is asked', () => {
    expect(filterModel(model, SHOW_ALL)).toBe(model)
  })
})

describe('layout', () => {
  const overlaps = (model: GraphModel): number => {
    const positions = [...layoutModel(model).values()]
    let found = 0
    for (const [i, a] of positions.entries())
      for (const b of positions.slice(i + 1)) if (Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT) found++
    return found
  }

  it.each([
    { count: 3, reason: 'dagre lays out small graphs' },
    { count: 200, reason: 'large ones are laid out in linear time' },
  ])('$reason: $count members, none over another, children right of their parents', ({ count }) => {
    const model = modelOf(claimOfServers(count), claimRef)
    const positions = layoutModel(model)
    expect(positions.size).toBe(model.nodes.length)
    expect(overlaps(model)).toBe(0)
    for (const { from, to } of model.edges) expect(positions.get(to)?.x).toBeGreaterThan(positions.get(from)?.x ?? 0)
    expect(heightOf(positions)).toBeGreaterThanOrEqual(count * NODE_HEIGHT)
  })

  it('does not depend on states', () => {
    const failing = modelOf(
      claimOfServers(3, () => ({ ready: 'False', synced: 'False' })),
      claimRef,
    )
    expect(structureOf(failing)).toBe(structureOf(modelOf(claimOfServers(3), claimRef)))
  })
})

describe('update', () => {
  const sceneOf = (model: GraphModel, previous = EMPTY_SCENE) => updateScene(previous, model, layoutModel(model))

  it('is the same scene when nothing changed', () => {
    const scene = sceneOf(modelOf(claimOfServers(3), claimRef))
    expect(sceneOf(modelOf(claimOfServers(3), claimRef), scene)).toBe(scene)
  })

  it('makes new only what changed: one member of a hundred', () => {
    const before = sceneOf(modelOf(claimOfServers(100), claimRef))
    const after = sceneOf(
      modelOf(
        claimOfServers(100, (i) => ({ ready: i === 42 ? 'False' : 'True', synced: 'True' })),
        claimRef,
      ),
      before,
    )
    const known = new Set(before.nodes)
    expect(after.nodes.filter((node) => !known.has(node)).map(({ data }) => data.name)).toEqual(['server-42'])
    expect(after.edges.filter((edge) => !before.edges.includes(edge)).map(({ state }) => state)).toEqual(['waiting'])
  })
})

describe('tree', () => {
  it('says the place of each row, and leaves out what is collapsed', () => {
    const tree = treeOf(filterModel(modelOf(claimOfServers(2), claimRef), { ...SHOW_ALL, external: false }))
    const rows = rowsOf(tree, new Set())
    expect(rows.map(({ node, level, position, siblings }) => [node.name, level, position, siblings])).toEqual([
      ['c', 1, 1, 1],
      ['g', 2, 1, 1],
      ['server-0', 3, 1, 2],
      ['server-1', 3, 2, 2],
    ])
    expect(rows.map(({ expanded }) => expanded)).toEqual([true, true, undefined, undefined])
    expect(rowsOf(tree, new Set([rows[1]?.node.id ?? ''])).map(({ node }) => node.name)).toEqual(['c', 'g'])
    expect(rowsOf(undefined, new Set())).toEqual([])
  })
})
