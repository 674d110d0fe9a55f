import { describe, expect, it } from 'vitest'
import { providerPorts } from './provider-ports.ts'

const TAKEN = 'failed to start metrics server: listen tcp :8080: bind: address already in use'
const names = (args: readonly string[]): readonly string[] => args.map((arg) => arg.split('=')[0] as string)

describe('K240 where a program is told to listen', () => {
  it('by its environment and by flags, from the start', async () => {
    const { args, env, webhook } = await providerPorts()('')
    expect(args).toEqual([`--metrics-bind-address=${env['METRICS_BIND_ADDRESS'] ?? ''}`, `--webhook-port=${webhook}`])
    expect(env).toMatchObject({ WEBHOOK_PORT: String(webhook), METRICS_BIND_ADDRESS: expect.stringMatching(/^127\.0\.0\.1:\d+$/) })
    expect(env['HEALTH_PROBE_BIND_ADDRESS']).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  it.each([
    ['as kingpin says it', "provider: error: unknown long flag '--webhook-port', try --help"],
    ['as pflag says it', 'Error: unknown flag: --webhook-port'],
    ['as Go says it', 'flag provided but not defined: -webhook-port'],
    ['in words of its own', 'what am I to do with --webhook-port?'],
  ])('by the flags that it knows, %s', async (_, refusal) => {
    const ports = providerPorts()
    await ports('')
    expect(names((await ports(refusal)).args)).toEqual(['--metrics-bind-address'])
    // It is not tried again when the program ends for another reason.
    expect(names((await ports(TAKEN)).args)).toEqual(['--metrics-bind-address'])
    expect(names((await ports('unknown flag: --metrics-bind-address')).args)).toEqual([])
    expect(names((await ports(TAKEN)).args)).toEqual([])
  })

  it('once more for each flag that it refuses, and no more', async () => {
    const ports = providerPorts()
    const [webhook, metrics] = ["unknown long flag '--webhook-port'", 'unknown flag: --metrics-bind-address']
    const first = await ports('')
    expect([webhook, metrics, TAKEN, 'no --webhook-port today', ''].map((words) => first.refused(words))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect([webhook, metrics].map((await ports(webhook)).refused)).toEqual([false, true])
    expect([webhook, metrics].map((await ports(metrics)).refused)).toEqual([false, false])
  })

  it('by none, when it refuses one and does not say which', async () => {
    const ports = providerPorts()
    await ports('')
    expect((await ports('unknown flag')).args).toEqual([])
  })

  it('by none that somebody set', async () => {
    expect(names((await providerPorts(['--debug', '--metrics-bind-address', ':9090'])('')).args)).toEqual(['--webhook-port'])
  })

  it('where the system lets it, when it was told and wants what is taken all the same', async () => {
    const ports = providerPorts([], { choosable: true })
    expect((await ports('')).anyPort).toBeUndefined()
    expect((await ports("unknown long flag '--webhook-port'")).anyPort).toBeUndefined()
    expect((await ports(TAKEN)).anyPort).toBe('usual')
    // From then on, whatever it ends for.
    expect((await ports('the cloud is down')).anyPort).toBe('usual')
    // It asks for ports of all addresses in a way that the first filter does not see.
    expect((await ports(TAKEN)).anyPort).toBe('every')
    const without = providerPorts([])
    await without('')
    expect((await without(TAKEN)).anyPort).toBeUndefined()
  })

  it('with and without flags in turn, when it keeps ending and nobody knows why', async () => {
    const ports = providerPorts()
    await ports('')
    for (let ends = 1; ends < 3; ends++) expect((await ports('usage: provider')).args).toHaveLength(2)
    expect((await ports('usage: provider')).args).toEqual([])
    expect((await ports('the cloud is down')).args).toEqual([])
    expect((await ports(TAKEN)).args).toHaveLength(2)
  })
})
