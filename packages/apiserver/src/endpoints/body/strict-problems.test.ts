import { describe, expect, it } from 'vitest'
import { strictProblems } from './strict-problems.ts'

const duplicate = (path: string): string => `duplicate field "${path}"`
const unknown = (path: string): string => `unknown field "${path}"`

describe('strictProblems', () => {
  it('tells of what stands twice and of what nobody knows in the order of the text, each once', () => {
    const text = '{"x":1,"a":{"b":1,"y":1,"b":2},"a":3,"x":2,"l":[{"c":1,"c":2,"z":1}]}'
    expect(strictProblems({ problems: ['ignored'], text }, JSON.parse(text), ['l[0].z', 'x', 'a.y'])).toEqual([
      unknown('x'),
      unknown('a.y'),
      duplicate('a.b'),
      duplicate('a'),
      duplicate('l[0].c'),
      unknown('l[0].z'),
    ])
  })

  it('does not look below what nobody knows', () => {
    const text = '{"x":{"a":1,"a":2},"xy":1,"xy":2}'
    expect(strictProblems({ problems: [], text }, JSON.parse(text), ['x'])).toEqual([unknown('x'), duplicate('xy')])
  })

  it('sorts keys where Kubernetes does', () => {
    const document = { z: 1, a: { y: 1, b: 1 }, m: 1 }
    const paths = ['z', 'a.y', 'a.b', 'm']
    expect(strictProblems({ problems: [], isSorted: true }, document, paths)).toEqual(['a.b', 'a.y', 'm', 'z'].map(unknown))
    expect(strictProblems({ problems: [] }, document, paths)).toEqual(paths.map(unknown))
  })

  it('stops after a hundred', () => {
    const document = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`u${i}`, i]))
    expect(strictProblems({ problems: [] }, document, Object.keys(document))).toHaveLength(100)
    const members = Object.keys(document).map((key) => `"${key}":1,"${key}":2`)
    const twice = `{${members.join(',')}}`
    expect(strictProblems({ problems: [], text: twice }, {}, [])).toHaveLength(100)
  })
})
