import { describe, expect, it } from 'vitest'
import { meantField } from './meant-fields.ts'
import { resolverOf, type Schema } from './schema.ts'

const root: Schema = {
  properties: {
    spec: {
      properties: {
        size: { type: 'integer' },
        owner: { allOf: [{ $ref: '#/components/schemas/Owner' }] },
        disks: { type: 'array', items: { properties: { gigabytes: { type: 'integer' } } } },
      },
    },
  },
}
const resolve = resolverOf({ Owner: { properties: { department: { type: 'string' } } } })

describe('the field that was probably meant', () => {
  it.each<[string, string | undefined, string]>([
    ['spec.sise', 'size', 'one letter'],
    ['spec.disks[0].gigabites', 'gigabytes', 'in a list, by its number'],
    ['spec.disks[name="a.b"].gigabites', 'gigabytes', 'in a list, by its key'],
    ['spec.owner.departement', 'department', 'behind a reference'],
    ['spec.color', undefined, 'nothing is near'],
    ['spek.size', undefined, 'what it is in is not known either'],
  ])('of %s is %s: %s', (path, meant) => {
    expect(meantField(root, path, resolve)).toBe(meant)
  })
})
