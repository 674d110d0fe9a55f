import type { AttributePath } from '../protocol/diagnostic.ts'
import { blockType } from '../schema/block-type.ts'
import type { Block } from '../schema/schema.ts'
import { memberType } from '../value/compare-values.ts'
import { Decimal } from '../value/decimal.ts'
import type { Type } from '../value/type.ts'
import { Dynamic, isArray, isMap, isUnknown, type Value } from '../value/value.ts'
import { at, below, type Problem, problem, under } from './problem.ts'

/** Faults of what a change led to: everything that the plan knew must have become so (T97). */
export function checkApplied(block: Block, planned: Value, applied: Value): Problem[] {
  if (planned === null) return applied === null ? [] : [problem([], 'it is still there after it was deleted')]
  if (applied === null) return [problem([], 'it does not exist after it was created')]
  return problems(blockType(block), planned, applied, [])
}

function problems(type: Type, planned: Value, applied: Value, path: AttributePath): Problem[] {
  if (isUnknown(planned)) return []
  if (isUnknown(applied)) return [problem(path, 'it was planned, and is not known now')]
  if (planned === null || applied === null)
    return planned === applied ? [] : [problem(path, planned === null ? 'nothing was planned' : 'what was planned is missing')]
  if (planned instanceof Dynamic)
    return applied instanceof Dynamic ? problems(planned.type, planned.value, applied.value, path) : [problem(path, 'it has another type')]
  if (isMap(planned) && isMap(applied)) return memberProblems(type, planned, applied, path)
  if (isArray(planned) && isArray(applied)) return elementProblems(type, planned, applied, path)
  const same = planned instanceof Decimal ? applied instanceof Decimal && planned.equals(applied) : planned === applied
  return same ? [] : [problem(path, 'it became another than was planned')]
}

function memberProblems(
  type: Type,
  planned: ReadonlyMap<string, Value>,
  applied: ReadonlyMap<string, Value>,
  path: AttributePath,
): Problem[] {
  const step = (key: string): AttributePath => (type.kind === 'object' ? below(path, key) : under(path, key))
  const added = [...applied.keys()].filter((key) => !planned.has(key)).map((key) => problem(step(key), 'it was not planned'))
  return [
    ...[...planned].flatMap(([key, value]) =>
      applied.has(key)
        ? problems(memberType(type, key), value, applied.get(key) ?? null, step(key))
        : [problem(step(key), 'it has vanished')],
    ),
    ...added,
  ]
}

function elementProblems(type: Type, planned: readonly Value[], applied: readonly Value[], path: AttributePath): Problem[] {
  if (type.kind === 'set') {
    const fits = (a: Value, b: Value): boolean => problems(type.element, a, b, path).length === 0
    const good =
      applied.length <= planned.length &&
      planned.every((a) => applied.some((b) => fits(a, b))) &&
      applied.every((b) => planned.some((a) => fits(a, b)))
    return good ? [] : [problem(path, 'its elements became others than were planned')]
  }
  if (planned.length !== applied.length) return [problem(path, `${planned.length} elements were planned, and there are ${applied.length}`)]
  return planned.flatMap((value, index) => problems(memberType(type, index), value, applied[index] ?? null, at(path, index)))
}
