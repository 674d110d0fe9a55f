import { describe, expect, it } from 'vitest'
import { findValues, JsonPathError, parseRelaxedPath, parseTemplate, renderTemplate } from './index.ts'

const pod = {
  metadata: { name: 'p', annotations: { 'example.org/x': 'why', 'a.b': 'c', z: '1' } },
  spec: {
    nodeName: 'n1',
    priority: 7,
    containers: [
      { name: 'a', image: 'nginx:1', ports: [{ containerPort: 80 }, { containerPort: 443 }] },
      { name: 'b', image: 'redis', ports: [] },
      { name: 'c', image: 'x', stdin: true },
    ],
  },
}

const render = (template: string): string => renderTemplate(parseTemplate(template), pod)

describe('JSONPath', () => {
  // Answers are those of kubectl 1.32, except where a reason says otherwise.
  it.each([
    ['{.metadata.name}', 'p'],
    ['{$.metadata.name}', 'p'],
    ['{@.metadata.name}', 'p'],
    ['{ .metadata.name }', 'p'],
    ['plain', 'plain'],
    ['text {.metadata.name} and {\'single\'} {"double\\t"}', 'text p and single double\t'],
    ['{.spec.containers[*].name}', 'a b c'],
    ['{.spec.containers[0].name}', 'a'],
    ['{.spec.containers[-1].name}', 'c'],
    ['{.spec.containers[0:2].name}', 'a b'],
    ['{.spec.containers[1:].name}', 'b c'],
    ['{.spec.containers[-2:].name}', 'b c'],
    ['{.spec.containers[::2].name}', 'a c'],
    ['{.spec.containers[0,2].name}', 'a c'],
    ["{.spec.containers[*]['name','image']}", 'a b c nginx:1 redis x'],
    ['{.spec.containers[?(@.name=="b")].image}', 'redis'],
    ['{.spec.containers[?(@.name!="b")].image}', 'nginx:1 x'],
    ['{.spec.containers[?("a"==@.name)].name}', 'a'],
    ['{.spec.containers[?(@.stdin)].name}', 'c'],
    ['{.spec.containers[?(@.stdin==true)].name}', 'c'],
    ['{.spec.containers[?(@.ports[0].containerPort>79)].name}', 'a'],
    ['{.spec.containers[?(@.ports[0].containerPort<79)].name}', ''],
    ["{.spec.containers[?(@.name=='a')].ports[?(@.containerPort==443)].containerPort}", '443'],
    ['{.metadata.annotations.example\\.org/x}', 'why'],
    ["{.metadata.annotations['example\\.org/x']}", 'why'],
    ['{.metadata.annotations.a\\.b}', 'c'],
    ['{.metadata.annotations}', '{"a.b":"c","example.org/x":"why","z":"1"}'],
    ['{range .spec.containers[*]}{.name}{"\\t"}{.image}{"\\n"}{end}', 'a\tnginx:1\nb\tredis\nc\tx\n'],
    ['{range .spec.containers[*]}{range .ports[*]}{.containerPort},{end};{end}', '80,443,;;;'],
    ['{..containerPort}', '80 443'],
    ['{.nothing}', ''],
    ['{.spec.nothing.more}', ''],
    ['{.spec.priority}{3}', '73'],
    ['{}', render('{@}')],
  ])('%s is %j', (template, text) => {
    expect(render(template)).toBe(text)
  })

  it.each([
    ['{.metadata.name'],
    ['{end}'],
    ['{range .x}'],
    ['{.spec.containers[?(@.name=="a"]}'],
    ['{.spec.containers[a].name}'],
    ['{metadata.name}'],
    ['{.spec.containers[5].name}'],
    ['{.spec.containers[?(@.image=~"x")].name}'],
    ['{"never closed}'],
  ])('refuses %s', (template) => {
    expect(() => render(template)).toThrow(JsonPathError)
  })

  it('takes a path without braces and dot where only a path can stand', () => {
    for (const path of ['{.spec.priority}', '.spec.priority', 'spec.priority']) expect(findValues(parseRelaxedPath(path), pod)).toEqual([7])
    expect(() => parseRelaxedPath('{.a}{.b}')).toThrow(JsonPathError)
  })

  it('means the whole object by $ within a range, unlike kubectl, which finds nothing there', () => {
    expect(render('{range .spec.containers[*]}{.name}@{$.metadata.name} {end}')).toBe('a@p b@p c@p ')
  })

  it('never reaches what only JavaScript knows', () => {
    expect(render('{.constructor}{.metadata.__proto__}{.spec.containers.length}')).toBe('')
  })
})
