import { type FunctionAnswer, hasReason } from '@weft/api'
import { createFairQueue, type FairQueueOptions } from '@weft/apiserver'
import type { FunctionAnswers, FunctionAsker } from '@weft/controllers'

/**
 * What is asked of functions, each user in turn. A question that is being answered is in memory: there are few at a time, and of one user a quarter of them,
 * so that nobody takes the others' places. Those that have to wait are not read yet.
 */
export interface FunctionQuestions {
  /** `read` gives the question; called once, when its turn has come. */
  answer(read: () => Promise<unknown>, asker: FunctionAsker): Promise<FunctionAnswer>
}

/** A plan asks for up to sixteen composites at once, and waits ten seconds for each. */
const TURNS: FairQueueOptions = { seats: 32, flowShare: 1 / 4, queueLength: 64, totalLength: 512, waitMillis: 10_000 }

export function functionQuestions(functions: Pick<FunctionAnswers, 'answer'>, turns: FairQueueOptions = TURNS): FunctionQuestions {
  const queue = createFairQueue(turns)
  return {
    async answer(read, asker) {
      let turn
      try {
        turn = await queue.acquire(asker.username, asker)
      } catch (error) {
        if (!hasReason(error, 'TooManyRequests')) throw error
        return { error: { code: 'Unavailable', message: 'the control plane answers other plans: try again in a moment' } }
      }
      try {
        return await functions.answer(await read(), asker)
      } finally {
        turn.release()
      }
    },
  }
}
