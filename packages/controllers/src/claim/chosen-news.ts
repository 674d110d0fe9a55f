import type { KubeObject } from '@weft/api'
import type { EventRecorder } from '@weft/runtime'

/** That a class was chosen for a claim, by the same write that named what is to be made. */
export interface ChosenNews {
  readonly reason: string
  readonly message: string
  /** `selected by its labels`, for a sentence about what was made from the class. */
  readonly how: string
}

const REMEMBERED = 10_000

/**
 * Hands on what one controller just wrote to the one that acts on it: what the claim names cannot be there yet, so nobody has to look for it, and that the
 * class was chosen is told together with what was made from it. Only a help: after a restart nothing is remembered, and everything is looked up.
 */
export class JustChosen {
  /** By the uid of the claim. */
  readonly #news = new Map<string, ChosenNews>()

  add({ metadata: { uid } }: KubeObject, news: ChosenNews): void {
    if (uid === undefined) return
    if (this.#news.size >= REMEMBERED) this.#news.clear()
    this.#news.set(uid, news)
  }

  /** Once. */
  take({ metadata: { uid = '' } }: KubeObject): ChosenNews | undefined {
    const news = this.#news.get(uid)
    this.#news.delete(uid)
    return news
  }
}

/** Tells of everything that was made for a claim in one event, and of the choice before it with it, or by itself where nothing was made. */
export function tellMade(events: EventRecorder, claim: KubeObject, { made, news }: Made): void {
  const how = news === undefined ? '' : `, ${news.how}`
  if (made !== undefined) events.normal(claim, 'CreatedManagedResource', `Created ${made}${how}`)
  else if (news !== undefined) events.normal(claim, news.reason, news.message)
}

interface Made {
  /** What was made, and from which class. */
  readonly made: string | undefined
  readonly news: ChosenNews | undefined
}
