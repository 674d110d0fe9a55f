import { ManualClock } from '@weft/client'

/** A clock that stands still until a test moves it. */
export class FakeClock extends ManualClock {
  constructor(start: number = Date.UTC(2026, 0, 1)) {
    super(start)
  }

  /** Moves time. Each timer that comes due fires at its own time, and what it set off settles before the next one fires. */
  async advance(millis: number): Promise<void> {
    const target = this.now() + millis
    await settle()
    while (this.fireNext(target)) await settle()
    this.moveTo(target)
  }
}

/** Lets promises and immediates that are due run. Enough turns for a request to the in-memory server and back. */
export async function settle(turns = 4): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}
