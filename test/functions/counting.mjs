// A function as platform teams write them with the TypeScript kit: says in the status how many of what steps before it want are ready.
import { Ready, serve, setDesiredCompositeStatus } from '@crossplane-org/function-sdk-typescript'

serve((_, rsp) => {
  const wanted = Object.values(rsp.desired.resources)
  const ready = wanted.filter((each) => each.ready === Ready.READY_TRUE).length
  return setDesiredCompositeStatus({ rsp, status: { wanted: wanted.length, ready } })
})
