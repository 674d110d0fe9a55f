import { afterEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const SERVICES = '/api/v1/namespaces/default/services'
const MERGE = { contentType: 'application/merge-patch+json' }

let api: TestApi
afterEach(() => api.stop())

const service = (name: string, spec: object): object => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec })
const create = async (name: string, spec: object, query = ''): Promise<any> =>
  (await api.send({ method: 'POST', path: `${SERVICES}${query}`, body: service(name, { ports: [{ port: 80 }], ...spec }) })).body
const patch = async (name: string, spec: object): Promise<any> =>
  (await api.send({ method: 'PATCH', path: `${SERVICES}/${name}`, body: { spec }, ...MERGE })).body
const portsOf = ({ spec }: any): number[] => spec.ports.map(({ nodePort }: { nodePort?: number }) => nodePort ?? 0)

describe('node ports', () => {
  it('are given from their range, each to one Service, however many ask at once', async () => {
    api = await startTestApi()
    const made = await Promise.all(Array.from({ length: 60 }, (_, i) => create(`s${i}`, { type: 'NodePort' })))
    const ports = made.flatMap(portsOf)
    expect(new Set(ports).size).toBe(60)
    for (const port of ports) expect(port).toSatisfy((number: number) => number >= 30_000 && number <= 32_767)
  })

  it('can be named once, inside the range, and are free again with their Service', async () => {
    api = await startTestApi()
    const named = (name: string, nodePort: number): Promise<any> => create(name, { type: 'NodePort', ports: [{ port: 80, nodePort }] })
    expect(portsOf(await named('a', 31_234))).toEqual([31_234])
    expect((await named('b', 31_234)).message).toBe(
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 31234: provided port is already allocated',
    )
    expect((await named('c', 80)).message).toBe(
      'Service "c" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    )
    expect((await create('d', { ports: [{ port: 80, nodePort: 31_235 }] })).message).toContain("may not be used when `type` is 'ClusterIP'")
    // What was refused or only tried holds nothing.
    expect(portsOf(await create('e', { type: 'NodePort', ports: [{ port: 80, nodePort: 31_235 }] }, '?dryRun=All'))).toEqual([31_235])
    expect(portsOf(await named('e', 31_235))).toEqual([31_235])
    await api.send({ method: 'DELETE', path: `${SERVICES}/a` })
    expect(portsOf(await named('b', 31_234))).toEqual([31_234])
  })

  it('stay with a port by its name, and go when the Service takes none', async () => {
    api = await startTestApi()
    const [before] = portsOf(await create('a', { type: 'NodePort', ports: [{ name: 'web', port: 80 }] }))
    const after = portsOf(
      await patch('a', {
        ports: [
          { name: 'web', port: 81 },
          { name: 'new', port: 82 },
        ],
      }),
    )
    expect(after[0]).toBe(before)
    expect(after[1]).toBeGreaterThanOrEqual(30_000)
    const plain = await patch('a', { type: 'ClusterIP' })
    expect(portsOf(plain)).toEqual([0, 0])
    expect(plain.spec).not.toHaveProperty('externalTrafficPolicy')
    expect(portsOf(await create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: before }] }))).toEqual([before])
  })

  it('are one for a port in two protocols, and one more for the health of a balancer that keeps addresses', async () => {
    api = await startTestApi()
    const dns = [
      { name: 'udp', port: 53, protocol: 'UDP' },
      { name: 'tcp', port: 53, protocol: 'TCP' },
    ]
    const [udp, tcp] = portsOf(await create('a', { type: 'NodePort', ports: dns }))
    expect(udp).toBe(tcp)
    const balancer = await create('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' })
    expect(balancer.spec.healthCheckNodePort).toBeGreaterThanOrEqual(30_000)
    expect(balancer.spec.healthCheckNodePort).not.toBe(portsOf(balancer)[0])
    expect(portsOf(await create('c', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }))).toEqual([0])
  })
})
