import type { AttributePath } from '../protocol/diagnostic.ts'
import { nestedBlockType } from '../schema/block-type.ts'
import type { Attribute, Block, NestedBlock, NestedType } from '../schema/schema.ts'
import { equalValues } from '../value/compare-values.ts'
import { isArray, isMap, isUnknown, type Value } from '../value/value.ts'
import { at, below, type Problem, problem, under } from './problem.ts'
import { member, type Shape, shapeOf, unwrapped } from './shape.ts'

/**
 * Faults of a plan: it must do what is configured. A provider may decide only what nobody configured and what it computes, or keep what was
 * there, which means that both are the same to it (T85).
 */
export function checkPlan(block: Block, values: Planned): Problem[] {
  return blockProblems(block, values, [])
}

export interface Planned {
  readonly prior: Value
  readonly config: Value
  readonly planned: Value
}

const part = ({ prior, config, planned }: Planned, name: string): Planned => ({
  prior: member(prior, name),
  config: member(config, name),
  planned: member(planned, name),
})

function blockProblems(block: Block, values: Planned, path: AttributePath): Problem[] {
  const { config, planned } = values
  if ((planned === null) !== (config === null)) return [absence(path, planned)]
  if (planned === null) return []
  return [
    ...attributesProblems(block, values, path),
    ...[...block.blocks].flatMap(([name, nested]) => nestedBlockProblems(nested, part(values, name), below(path, name))),
  ]
}

const absence = (path: AttributePath, planned: Value): Problem =>
  problem(path, planned === null ? 'the plan removes what is configured' : 'the plan adds what is not configured')

function nestedBlockProblems(nested: NestedBlock, values: Planned, path: AttributePath): Problem[] {
  if (equalValues(nestedBlockType(nested), values.planned, values.config)) return []
  if (isUnknown(values.config)) return [problem(path, 'the plan decides blocks that are not known yet')]
  if (isUnknown(values.planned)) return [problem(path, 'the plan does not know whether there are blocks')]
  if (nested.nesting === 'single' || nested.nesting === 'group') return blockProblems(nested.block, values, path)
  if (values.planned === null) return [problem(path, 'the plan has null where there are no blocks')]
  const check = (element: Planned, where: AttributePath): Problem[] =>
    isUnknown(element.planned)
      ? [problem(where, 'the plan does not know whether there is a block')]
      : blockProblems(nested.block, element, where)
  return elementsProblems(nested.nesting, { ...values, config: values.config ?? [] }, path, check, { counted: nested.nesting !== 'set' })
}

function attributesProblems({ attributes }: Pick<Shape, 'attributes'>, values: Planned, path: AttributePath): Problem[] {
  return [...attributes].flatMap(([name, attribute]) => attributeProblems(attribute, part(values, name), below(path, name)))
}

function attributeProblems({ type, nested, computed, optional, writeOnly }: Attribute, values: Planned, path: AttributePath): Problem[] {
  const { prior, config, planned } = values
  if (equalValues(type, planned, config)) return []
  if (prior !== null && config !== null && equalValues(type, planned, prior)) return []
  if (computed && (!optional || config === null)) return []
  if (config === null) return [problem(path, 'the plan sets an attribute that only a configuration can set')]
  if (planned === null && writeOnly) return []
  if (nested !== undefined) return nestedProblems(nested, values, path)
  return [problem(path, `the plan has another value than is configured${prior === null ? '' : ', and another than before'}`)]
}

function nestedProblems(nested: NestedType, values: Planned, path: AttributePath): Problem[] {
  const { config, planned } = values
  if (planned === null) return [absence(path, planned)]
  if (isUnknown(planned)) return [problem(path, 'the plan does not know a value that is configured')]
  const shape = shapeOf(nested)
  if (nested.nesting === 'single') return attributesProblems(shape, values, path)
  if (isUnknown(config)) return [problem(path, 'the plan decides elements that are not known yet')]
  return elementsProblems(nested.nesting, values, path, (element, where) => attributesProblems(shape, element, where), { counted: true })
}

/** Elements of a set cannot be told apart from what they were: only their number is. */
function elementsProblems(
  nesting: 'list' | 'set' | 'map',
  values: Planned,
  path: AttributePath,
  check: (element: Planned, path: AttributePath) => Problem[],
  { counted }: { readonly counted: boolean },
): Problem[] {
  const [prior, config, planned] = [unwrapped(values.prior), unwrapped(values.config), unwrapped(values.planned)]
  if (isMap(planned) && isMap(config)) {
    const missing = [...config.keys()]
      .filter((key) => !planned.has(key))
      .map((key) => problem(under(path, key), 'the plan lacks an element that is configured'))
    return [
      ...missing,
      ...[...planned].flatMap(([key, element]) => {
        const where = under(path, key)
        if (!config.has(key)) return [problem(where, 'the plan has an element that is not configured')]
        return check({ prior: isMap(prior) ? (prior.get(key) ?? null) : null, config: config.get(key) ?? null, planned: element }, where)
      }),
    ]
  }
  if (!isArray(planned)) return []
  const wanted = isArray(config) ? config : []
  if (counted && planned.length !== wanted.length && !(nesting === 'set' && planned.some(isUnknown)))
    return [problem(path, `the plan has ${planned.length} elements where ${wanted.length} are configured`)]
  if (nesting === 'set')
    return planned.some(isUnknown) && !counted ? [problem(path, 'the plan does not know whether there is a block')] : []
  const before = isArray(prior) ? prior : []
  return planned.flatMap((element, index) =>
    check({ prior: before[index] ?? null, config: wanted[index] ?? null, planned: element }, at(path, index)),
  )
}
