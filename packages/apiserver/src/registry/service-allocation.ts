import type { Allocated, Allocation } from './resource-type.ts'
import { serviceAddresses } from './service-addresses.ts'
import { servicePorts } from './service-ports.ts'

/** An address in the cluster, and ports on its nodes. */
export const serviceAllocation: Allocation = {
  begin(given, live, context): Allocated {
    const addressed = serviceAddresses.begin(given, live, context)
    try {
      const { object, settle } = servicePorts.begin(addressed.object, live, context)
      return {
        object,
        settle() {
          addressed.settle()
          settle()
        },
      }
    } catch (error) {
      addressed.settle()
      throw error
    }
  },
}
