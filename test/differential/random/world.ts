import { call, type CallOf, type Names, type Scenario, silent, type Step } from '../scenario.ts'
import { CRDS, definition, MERGE, namespace } from '../scenarios/parts.ts'
import { flowControlSubjects } from './flow-control.ts'
import { policiesInForce, policiesWithdrawn, policySubjects } from './policies.ts'
import { quotaSubject, tightQuota } from './quotas.ts'
import type { Random } from './random.ts'
import { METADATA, PROTOBUF, randomStep } from './requests.ts'
import { objectSchema } from './schemas.ts'
import type { Subject } from './subject.ts'
import { subjectsOf } from './subjects.ts'
import { rootMetadata } from './texts.ts'

type Json = any

/** A random story in a namespace of its own: one seed, a hundred requests or so about a few objects. */
export const randomWorld = (seed: number, random: Random, requests: number): Scenario => world(seed, random, { requests, judges: true })

/**
 * The same without what judges other requests (quotas, flow control, policies): those are true on kube-apiserver only after its controllers have heard of them,
 * so that a story may take it minutes. For runs that must end.
 */
export const plainWorld = (seed: number, random: Random, requests: number): Scenario => world(seed, random, { requests, judges: false })

interface Telling {
  readonly requests: number
  readonly judges: boolean
}

function world(seed: number, random: Random, { requests, judges }: Telling): Scenario {
  return {
    name: `random: seed ${seed}`,
    steps(names) {
      const schema = objectSchema(random, 3)
      const plain = subjectsOf(names, schema)
      const watched = judges ? random.some([quotaSubject(names), ...flowControlSubjects(names), ...policySubjects(names)], 0.3) : []
      const subjects = [...watched, ...plain]
      const withStatus = random.chance(0.5)
      const own = random.chance(0.7)
      const steps: Step[] = [namespace(names)]
      if (own)
        steps.push(
          ...defined(
            names,
            {
              type: 'object',
              properties: {
                ...rootMetadata(random),
                spec: schema,
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
            withStatus,
          ),
        )
      const tight = judges && random.chance(0.2) ? tightQuota(names, random, own ? plain : plain.slice(0, -1)) : undefined
      steps.push(...(tight?.made ?? []))
      const judged = judges && random.chance(0.25)
      if (judged) steps.push(...policiesInForce(names, random))
      // A definition that both servers refuse leaves its objects without a home: then the story is about the others.
      for (let i = 0; i < requests; i++) {
        const subject = random.pick(own && random.chance(0.5) ? subjects.slice(-1) : subjects.slice(0, -1))
        const step = randomStep(random.fork(), subject, withStatus)
        steps.push(step, ...(subject.settled ?? []), ...(tight?.counted(subject) ?? []))
      }
      // Then the whole story again, as a watch tells it.
      for (const { path, custom } of subjects)
        if (/secrets|leases|\/roles|widgets/.test(path) && (own || !custom))
          steps.push(
            history(path, custom ? 2 : 0, random.pick(['application/json', `${PROTOBUF};${METADATA}`, `${PROTOBUF},application/json`])),
          )
      return [
        ...steps,
        ...(judged ? policiesWithdrawn(names) : []),
        ...watched.flatMap(gone),
        // Its definition stays: kube-apiserver counts nothing for half a minute whenever a kind goes.
        silent(call('DELETE', `/api/v1/namespaces/${names.ns}`)),
      ]
    },
  }
}

/** What has no namespace would be looked at for every request of the stories to come. */
const gone = ({ path, names }: Subject): Step[] =>
  names.flatMap((name) => [
    silent(call('PATCH', `${path}/${name}`, { metadata: { finalizers: null } }, { contentType: MERGE })),
    silent(call('DELETE', `${path}/${name}`)),
  ])

/** Every change since step `since`, until the server ends the watch. A definition that was refused has no history. */
function history(path: string, since: number, accept: string): Step {
  const listened =
    (seconds: number): CallOf =>
    (seen) => ({ method: 'GET', path: `${path}?watch=1&timeoutSeconds=${seconds}&resourceVersion=${seen.version(since)}`, accept })
  return { kind: 'watch', call: listened(1), again: listened(20), during: [], limitMs: 60_000 }
}

/** The definition, and the wait until its objects are served; a refused one is not waited for. */
function defined(names: Names, schema: Json, withStatus: boolean): Step[] {
  const crd = definition(names, { schema, ...(withStatus && { version: { subresources: { status: {} } } }) })
  return [
    { kind: 'call', call: { method: 'POST', path: CRDS, body: crd } },
    {
      kind: 'eventually',
      silent: true,
      call: { method: 'GET', path: `/apis/${names.group}/v1/widgets` },
      until: ({ status }, seen) => status === 200 || seen.answers.at(-1)?.status !== 201,
    },
  ]
}
