import { hasReason } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { type Defined, definedIn, type Existing } from '@weft/plane'
import type { FollowedKinds } from './served-kinds.ts'

/** What exists on a real server: definitions from memory, their instances by asking. Writes that need them are rare. */
export const listedObjects = (client: Client, kinds: FollowedKinds): Existing & Defined => ({
  ...definedIn(kinds),
  async objects(kind) {
    try {
      return (await client.list(kind)).items
    } catch (error) {
      // Not served, so there are none.
      if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return []
      throw error
    }
  },
})
