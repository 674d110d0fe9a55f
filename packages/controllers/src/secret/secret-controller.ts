import { deepEqual, hasReason, messageOf } from '@weft/api'
import { type Secret, secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf, sameDetails } from '@weft/composition'
import { type ControllerSpec, done, type EventRecorder, type Predicate, watch } from '@weft/runtime'
import { allows, copiesOf, COPY_LABEL, sourceOf } from '../connection/propagate.ts'
import { CONNECTION_SECRETS } from '../connection/secret.ts'

/** What comes, and what goes, is told by whoever copies. */
const detailsChanged: Predicate<Secret> = (change) => change.type === 'updated' && !deepEqual(change.previous.data, change.object.data)

export const SECRET_CONTROLLER = 'secret/connection-copies'

/**
 * Keeps copies of connection secrets equal to their sources, for whoever made them: claims, requirements. A copy is followed only when its source allows it
 * and both are connection secrets; one whose source is gone stays as it is until its owner goes.
 */
export function secretController(events: EventRecorder): ControllerSpec<Secret> {
  return {
    name: SECRET_CONTROLLER,
    kind: secretKind,
    labels: `${COPY_LABEL}=true`,
    watches: [watch<Secret, Secret>({ ...CONNECTION_SECRETS, predicate: detailsChanged, map: copiesOf })],
    async reconcile(request, { client, primary, log }) {
      const copy = primary.get(request)
      const from = copy && sourceOf(copy)
      if (copy === undefined || from === undefined || copy.type !== CONNECTION_SECRET_TYPE || controllerOf(copy) === undefined) return done
      const source = await client.find(secretKind, from)
      if (source === undefined) return done
      if (
        source.type !== CONNECTION_SECRET_TYPE ||
        !allows(source, { namespace: copy.metadata.namespace ?? '', name: copy.metadata.name ?? '' })
      ) {
        log.debug('a copy of a connection secret is not followed: its source does not allow it', {
          source: `${from.namespace}/${from.name}`,
        })
        return done
      }
      if (sameDetails(copy.data ?? {}, source.data ?? {})) return done
      try {
        await client.update({ ...copy, data: source.data ?? {} })
      } catch (error) {
        if (!hasReason(error, 'Conflict'))
          events.warning(
            copy,
            'CannotPropagateDataFrom',
            `Connection details of secret ${from.namespace}/${from.name} cannot be copied: ${messageOf(error)}`,
          )
        throw error
      }
      events.normal(copy, 'PropagatedDataFrom', `Copied connection details from secret ${from.namespace}/${from.name}`)
      return done
    },
  }
}
