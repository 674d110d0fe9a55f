import type { KubeObject } from '@weft/api'
import { isSet, recordAt } from '../read.ts'

/** Go cannot tell a number that is zero from one that is missing, unless it is a pointer. */
const orDefault = (value: unknown, otherwise: number): unknown => (value === 0 || !isSet(value) ? otherwise : value)

export function withFlowSchemaDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const matchingPrecedence = orDefault(spec['matchingPrecedence'], 1000)
  return matchingPrecedence === spec['matchingPrecedence'] ? object : { ...object, spec: { ...spec, matchingPrecedence } }
}

export function withPriorityLevelDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const { limited, exempt } = spec
  if (!isSet(limited) && !isSet(exempt)) return object
  return {
    ...object,
    spec: {
      ...spec,
      ...(isSet(limited) && { limited: limitedDefaults(recordAt(limited)) }),
      ...(isSet(exempt) && { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0, ...recordAt(exempt) } }),
    },
  }
}

function limitedDefaults(limited: Readonly<Record<string, unknown>>): object {
  const response = recordAt(limited, 'limitResponse')
  const queuing = recordAt(response, 'queuing')
  return {
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
    ...limited,
    ...(isSet(response['queuing']) && {
      limitResponse: {
        ...response,
        queuing: {
          ...queuing,
          queues: orDefault(queuing['queues'], 64),
          handSize: orDefault(queuing['handSize'], 8),
          queueLengthLimit: orDefault(queuing['queueLengthLimit'], 50),
        },
      },
    }),
  }
}
