import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../differential/endpoint.ts'
import { recordedAnswers, recordedNames, recordedScenarios } from '../../differential/recording.ts'
import { formatFound, replayScenario } from '../../differential/scenario.ts'
import { startEmbedded } from '../../differential/servers.ts'

/**
 * The stories of the differential tests against what kube-apiserver answered when they were recorded. Needs no Go, so it
 * runs everywhere; `npx tsx test/differential/run.ts record` renews the answers.
 */
describe('the embedded server answers what kube-apiserver answered', () => {
  let embedded: Awaited<ReturnType<typeof startEmbedded>>
  let weft: Endpoint

  beforeAll(async () => {
    embedded = await startEmbedded()
    weft = embedded.endpoint
  })
  afterAll(() => embedded.stop())

  it.each(recordedScenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const found = await replayScenario(scenario, recordedNames(scenario), weft, await recordedAnswers(scenario))
    expect(found.map(formatFound)).toEqual([])
  })

  it('nothing failed in the background', () => {
    expect(embedded.errors).toEqual([])
  })
})
