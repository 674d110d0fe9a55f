import type { Impersonation, Transport } from '@weft/client'

/** A transport all of whose requests are made as `user`, also those that no Client makes. Closing it is the business of whoever opened the other. */
export const actingTransport = (transport: Transport, user: Impersonation): Transport => ({
  request: (request) => transport.request({ ...request, impersonate: user }),
  watch: (request) => transport.watch({ ...request, impersonate: user }),
  close: () => Promise.resolve(),
  local: transport.local,
})
