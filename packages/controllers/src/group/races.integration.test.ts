import { internalError, type KubeObject } from '@weft/api'
import { CLAIM_UID_LABEL } from '@weft/composition'
import { eventually, kubernetesAccess, patienceMs, seededRandom } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { AGGREGATE, COMPOSITE } from '../bindings-table/well-known.ts'
import {
  CLAIM,
  claim,
  classOf,
  databases,
  RESOURCE_GROUP,
  RESOURCE_GROUP_CLASS,
  SERVER,
  SERVER_CLASS,
  SQL,
  SQL_CLASS,
} from '../claim/databases.fixture.ts'
import { type ClaimWorld, startClaimWorld, isReady } from '../claim/world.fixture.ts'

const LABELS = { part: 'of' }
const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>

const AGGREGATE_OF_THREE: readonly KubeObject[] = [
  {
    apiVersion: 'aggregation.crossplane.io/v1alpha1',
    kind: 'AggregateResourceClass',
    metadata: { name: 'three', labels: { design: 'AggregateResourceClass' } },
    aggregationRule: { classSelector: { matchLabels: LABELS } },
    specTemplate: { reclaimPolicy: 'Delete', writeConnectionSecretsToNamespace: 'crossplane-system' },
  },
  classOf(SERVER_CLASS, 'server', { labels: LABELS }, { writeConnectionSecretsToNamespace: 'crossplane-system' }),
  classOf(SQL_CLASS, 'sql', { labels: LABELS }),
  classOf(RESOURCE_GROUP_CLASS, 'group', { labels: LABELS }),
]
const COMPOSITE_OF_THREE: KubeObject = {
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'CompositeResourceClass',
  metadata: { name: 'three', labels: { design: 'CompositeResourceClass' } },
  spec: {
    claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
    resources: [SERVER, SERVER, RESOURCE_GROUP].map(({ group, kind }) => ({
      base: { apiVersion: `${group}/v1beta1`, kind, spec: {} },
      patches: [{ fromFieldPath: 'metadata.name', toFieldPath: 'spec.forProvider.name' }],
    })),
  },
}
const classRef = (kind: string): Record<string, string> => ({
  apiVersion: kind === 'AggregateResourceClass' ? 'aggregation.crossplane.io/v1alpha1' : 'infrastructure.crossplane.io/v1alpha1',
  kind,
  name: 'three',
})

/** Both kinds of class in turn, and each by its name and by its labels: what is selected is named by the same write. */
function wish(i: number): Record<string, unknown> {
  const kind = i % 2 === 0 ? 'AggregateResourceClass' : 'CompositeResourceClass'
  return i % 4 < 2 ? { classRef: classRef(kind) } : { classSelector: { matchLabels: { design: kind } } }
}

/** Waits for as long as more and more of them get ready, however slowly. */
async function allReady(world: ClaimWorld, count: number): Promise<readonly KubeObject[]> {
  let most = -1
  for (let since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const claims = await world.list(CLAIM)
    const ready = claims.filter(isReady).length
    if (ready >= count) return claims
    if (ready > most) since = Date.now()
    most = Math.max(most, ready)
    if (Date.now() - since > patienceMs(60_000)) throw new Error(`${ready} of ${count} are ready, and for a minute no more became so`)
  }
}

/** Exactly one group for each claim, and of each class or template exactly one member. */
async function expectNoneTwice(world: ClaimWorld, claims: readonly KubeObject[]): Promise<void> {
  const groups = [...(await world.list(AGGREGATE)), ...(await world.list(COMPOSITE))]
  expect(groups).toHaveLength(claims.length)
  const names = new Set(groups.map(({ kind, metadata }) => `${kind}/${metadata.name}/${metadata.uid}`))
  for (const each of claims) {
    const ref = specOf(each)['resourceRef'] ?? {}
    expect(names).toContain(`${ref['kind']}/${ref['name']}/${ref['uid']}`)
  }
  const members = [...(await world.list(SERVER)), ...(await world.list(SQL)), ...(await world.list(RESOURCE_GROUP))]
  expect(members).toHaveLength(3 * claims.length)
  const ofClaim = new Map<string, number>()
  for (const member of members) {
    const uid = member.metadata.labels?.[CLAIM_UID_LABEL] ?? ''
    ofClaim.set(uid, (ofClaim.get(uid) ?? 0) + 1)
  }
  for (const { metadata } of claims) expect(ofClaim.get(metadata.uid ?? '')).toBe(3)
}

/** A real server, on the machine that also runs both control planes, takes a while for each. */
const CLAIMS = kubernetesAccess() === undefined ? 500 : 100

describe('races', () => {
  test(`A14, A25, cross-seed 7: two control planes on ${CLAIMS} claims make one group for each claim and one member for each class`, async () => {
    const world = await startClaimWorld(databases({ planes: 2, patienceMs: 60_000 }))
    try {
      await world.apply(...AGGREGATE_OF_THREE, COMPOSITE_OF_THREE)
      await Promise.all(Array.from({ length: CLAIMS }, (_, i) => world.client.create(claim(`c-${i}`, wish(i)))))
      const claims = await allReady(world, CLAIMS)
      await expectNoneTwice(world, claims)
    } finally {
      await world.stop()
    }
  }, 900_000)

  test('X2, cross-seed 10: killed anywhere, with requests failing and answers lost, nothing is orphaned or doubled', async () => {
    const random = seededRandom(23)
    const world = await startClaimWorld(
      databases({
        patienceMs: 60_000,
        random,
        faults: [
          { verb: ['create', 'update'], probability: 0.04, fault: { type: 'lostAnswer' } },
          { verb: ['create', 'update', 'get'], probability: 0.04, fault: { type: 'error', error: internalError('injected') } },
          { verb: 'update', probability: 0.04, fault: { type: 'conflict' } },
        ],
      }),
    )
    try {
      await world.apply(...AGGREGATE_OF_THREE, COMPOSITE_OF_THREE)
      const creating = (async () => {
        for (let i = 0; i < 40; i++) await world.client.create(claim(`c-${i}`, wish(i)))
      })()
      // Each plane lives for a moment, in the middle of everything.
      for (let i = 0; i < 12; i++) {
        await new Promise((resolve) => setTimeout(resolve, 5 + random() * 60))
        await world.planes[0]?.stop()
        await world.startPlane()
      }
      await creating
      const claims = await allReady(world, 40)
      await expectNoneTwice(world, claims)
      // And it all goes again.
      await world.client.deleteAll(CLAIM, { namespace: 'default' })
      await eventually(
        async () => {
          for (const kind of [CLAIM, AGGREGATE, COMPOSITE, SERVER, SQL, RESOURCE_GROUP])
            expect(await world.list(kind), kind.kind).toEqual([])
        },
        { timeoutMs: 150_000, intervalMs: 200 },
      )
    } finally {
      await world.stop()
    }
  }, 900_000)
})
