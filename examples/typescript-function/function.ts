import { defineFunction, desired, untyped } from '@weft/composition'
import { Network } from './types.ts'

const ConfigMap = untyped('v1', 'ConfigMap')

/** One subnet for each zone, each a sixteenth of the network. */
export default defineFunction(Network, ({ composite }) => {
  const { cidr, zones = 2 } = composite.spec
  const [a, b] = cidr.split('.')
  const subnets = Array.from({ length: zones }, (_, zone) => `${a}.${b}.${zone * 16}.0/20`)
  if (!cidr.endsWith('.0.0/16'))
    return { results: [{ severity: 'Fatal', message: `${cidr} cannot be divided: give a network such as 10.1.0.0/16` }] }
  return {
    resources: Object.fromEntries(
      subnets.map((subnet, zone) => [`subnet-${zone}`, desired(ConfigMap, { data: { cidr: subnet } }, { ready: true })]),
    ),
    status: { subnets },
  }
})
