import type { KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchKind, definitionOf, kindsOf } from '../definitions/kinds.ts'

const AT_ONCE = 32
const SERVED_MS = 600_000

/** Many kinds with a few objects each; one object in ten fails, for one of three reasons. Nobody reconciles them: only the console is at work. */
export async function makeBigWorld(
  client: Client,
  size: { readonly kinds: number; readonly objects: number },
): Promise<readonly BenchKind[]> {
  const kinds = kindsOf(size.kinds)
  await inTurn(kinds, (kind) => client.create(withoutStatusSubresource(definitionOf(kind))))
  await inTurn(
    Array.from({ length: size.objects }, (_, i) => i),
    (i) => whenServed(() => client.create(objectOf(kinds[i % kinds.length] as BenchKind, i))),
  )
  return kinds
}

/** So that an object can be made with the status that it shall have. */
function withoutStatusSubresource(definition: KubeObject): KubeObject {
  const spec = definition['spec'] as { readonly versions: readonly { readonly subresources?: object }[] }
  return { ...definition, ...{ spec: { ...spec, versions: spec.versions.map((version) => ({ ...version, subresources: {} })) } } }
}

export const objectName = (i: number): string => `object-${String(i).padStart(5, '0')}`

function objectOf({ group, kind }: BenchKind, i: number): KubeObject {
  const fails = i % 10 === 0
  const message = `the quota of region ${i % 3} is exceeded`
  const conditions = [
    { type: 'Ready', status: fails ? 'False' : 'True', reason: fails ? 'Creating' : 'Available' },
    { type: 'Synced', status: fails ? 'False' : 'True', reason: fails ? 'ReconcileError' : 'ReconcileSuccess', ...(fails && { message }) },
  ]
  return {
    apiVersion: `${group}/v1beta1`,
    kind,
    metadata: { name: objectName(i), annotations: { 'crossplane.io/external-name': `outside-${i}` } },
    ...{ spec: { forProvider: { parameter2: 'eu-west-1', parameter3: `value ${i}` } }, status: { conditions } },
  }
}

async function inTurn<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const rest = [...all].reverse()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await work(next)
    }),
  )
}

/** A kind is served a moment after its definition. */
async function whenServed(create: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + SERVED_MS; ;) {
    try {
      return void (await create())
    } catch (error) {
      if (!(error instanceof NoMatchError) || Date.now() > deadline) throw error
      await sleep(200)
    }
  }
}
