import { goSyntax, goType, goValue } from '@weft/api'
import { fieldElement, formatElement, indexElement } from '../fields/element.ts'
import { itemElement, TypeMismatch } from './list-items.ts'
import type { ListType, MapType, Scalar, Type } from './type.ts'
import { type Members, shapeOf } from './value.ts'

interface Problem {
  readonly path: string
  readonly message: string
}

/** Does an applied object fit its type? Answers undefined, or all that is wrong in Kubernetes' words. */
export function validateApplied(type: Type, object: Members): string | undefined {
  const problems: Problem[] = []
  validateValue(type, object, '', problems)
  if (problems.length === 0) return undefined
  const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n')
}

function validateValue(type: Type, value: unknown, path: string, problems: Problem[]): void {
  const shape = shapeOf(type, value)
  if (value === null || shape === undefined) return
  if (shape === 'map') validateMap(type.map as MapType, value, path, problems)
  else if (shape === 'list') validateList(type.list as ListType, value, path, problems)
  else {
    const message = scalarProblem(type.scalar as Scalar, value)
    if (message !== undefined) problems.push({ path, message })
  }
}

function validateMap(map: MapType, value: unknown, path: string, problems: Problem[]): void {
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.push({ path, message: `expected map, got &{${goValue(value)}}` })
    return
  }
  const members = value as Members
  for (const key of Object.keys(members)) {
    const member = members[key]
    if (member === undefined) continue
    const memberPath = path + formatElement(fieldElement(key))
    const type = map.field(key)?.type ?? map.element
    if (type === undefined) {
      problems.push({ path: memberPath, message: 'field not declared in schema' })
      return
    }
    validateValue(type, member, memberPath, problems)
  }
}

function validateList(list: ListType, value: unknown, path: string, problems: Problem[]): void {
  if (!Array.isArray(value)) {
    problems.push({ path, message: `expected list, got &{${goValue(value)}}` })
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    let element = indexElement(index)
    if (!list.atomic) {
      try {
        element = itemElement(list, item)
      } catch (error) {
        if (!(error instanceof TypeMismatch)) throw error
        problems.push({ path, message: `element ${index}: ${error.message}` })
        return
      }
      if (seen.has(element)) problems.push({ path, message: `duplicate entries for key ${formatElement(element)}` })
      seen.add(element)
    }
    validateValue(list.element, item, path + formatElement(element), problems)
  }
}

function scalarProblem(scalar: Scalar, value: unknown): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`
    case 'untyped':
      return isNumber || typeof value === 'string' || typeof value === 'boolean'
        ? undefined
        : `expected any scalar, got &{${goValue(value)}}`
  }
}
