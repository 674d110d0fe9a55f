import { describe, expect, test } from 'vitest'
import { CelCostExceeded } from '../eval/fault.ts'
import { PolicyScope } from './policy.ts'

const request = {
  operation: 'UPDATE',
  namespace: 'prod',
  userInfo: { username: 'ann', groups: ['dev'], extra: { team: ['a'] } },
  kind: { group: '', version: 'v1', kind: 'ConfigMap' },
}
const namespaceObject = { metadata: { name: 'prod', labels: { env: 'prod' }, creationTimestamp: '2024-01-01T00:00:00Z' } }
const object = { metadata: { name: 'x', labels: { app: 'web' } }, spec: { replicas: 3 } }

function evaluate(scope: PolicyScope, expression: string, input = {}): unknown {
  const { program, message } = scope.compile(expression)
  if (program === undefined) throw new Error(message)
  return scope.evaluation({ object, request, namespaceObject, ...input }).evaluate(program).value
}

describe('policy expressions', () => {
  test.each([
    'object.spec.replicas <= 5',
    'oldObject == null',
    "request.operation == 'UPDATE' && request.namespace == 'prod'",
    "'dev' in request.userInfo.groups && request.userInfo.extra['team'] == ['a']",
    "namespaceObject.metadata.labels.env == 'prod' && namespaceObject.metadata.creationTimestamp.getFullYear() == 2024",
    "has(object.metadata.labels) && object.metadata.labels.all(k, k != 'x')",
    '!has(request.dryRun)',
  ])('%s', (expression) => {
    expect(evaluate(new PolicyScope(), expression)).toBe(true)
  })

  test('what is not offered is not declared', () => {
    expect(new PolicyScope().compile('params.x == 1').message).toContain("undeclared reference to 'params'")
    expect(new PolicyScope().compile("authorizer.path('/x')").message).toContain("undeclared reference to 'authorizer'")
    expect(new PolicyScope().compile('request.operaton == 1').message).toContain("undefined field 'operaton'")
    expect(evaluate(new PolicyScope({ params: true }), 'params.max == 5', { params: { max: 5 } })).toBe(true)
  })

  test('authorizer and the resource of the request', () => {
    const authorizer = {
      authorize: ({ verb, resource, path }: { verb: string; resource: string; path: string }) => ({
        allowed: resource === 'configmaps' ? verb === 'delete' : path === '/x',
        reason: '',
      }),
    }
    const scope = new PolicyScope({ authorizer: true })
    const expression = "authorizer.requestResource.check('delete').allowed() && authorizer.path('/x').check('get').allowed()"
    expect(evaluate(scope, expression, { authorizer, requestResource: { resource: 'configmaps' } })).toBe(true)
  })

  test('variables have types, see earlier ones and are computed once', () => {
    const scope = new PolicyScope()
    expect(scope.declare('replicas', 'int(object.spec.replicas)').message).toBeUndefined()
    expect(scope.declare('double', 'variables.replicas * 2').message).toBeUndefined()
    expect(scope.declare('broken', "object.spec.nothing + 'x'").message).toBeUndefined()
    expect(scope.compile("variables.double == 'x'").message).toContain('found no matching overload')
    expect(scope.compile('variables.nothing').message).toContain("undefined field 'nothing'")
    const { program } = scope.compile('variables.double == 6')
    const evaluation = scope.evaluation({ object })
    if (program === undefined) throw new Error('not compiled')
    const first = evaluation.evaluate(program)
    const second = evaluation.evaluate(program)
    expect(first.value).toBe(true)
    expect(second.cost).toBeLessThan(first.cost)
    expect(() => evaluate(scope, "variables.broken == 'x'")).toThrow('composited variable "broken" fails to evaluate: no such key: nothing')
    expect(evaluate(scope, "variables.broken == 'x' || true")).toBe(true)
  })

  test('a budget covers the variables too', () => {
    const scope = new PolicyScope()
    scope.declare('sum', '[1, 2, 3].map(x, x).sum()')
    const { program } = scope.compile('variables.sum > 0')
    if (program === undefined) throw new Error('not compiled')
    expect(() => scope.evaluation({}).evaluate(program, { budget: 20 })).toThrow(CelCostExceeded)
  })
})
