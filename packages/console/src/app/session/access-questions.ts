import type { Api } from '../api/api.ts'

/** Asks whether the user may do something. Questions of about the same time go to the server together: a page has a dozen of them. */
export type AskAccess = (wish: object) => Promise<boolean>

const MOST = 200
/** Parts of a page come one after the other; nobody sees that a button comes that much later. */
const GATHER_MS = 60

interface Question {
  readonly wish: object
  readonly resolve: (allowed: boolean) => void
  readonly reject: (error: unknown) => void
}

export function accessQuestions(api: Api): AskAccess {
  let open: Question[] = []
  const send = async (questions: readonly Question[]): Promise<void> => {
    try {
      const { allowed } = await api.send<{ readonly allowed: readonly boolean[] }>('POST', '/console/access', {
        wishes: questions.map(({ wish }) => wish),
      })
      questions.forEach(({ resolve }, i) => resolve(allowed[i] === true))
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }
  const flush = (): void => {
    const questions = open
    open = []
    for (let at = 0; at < questions.length; at += MOST) void send(questions.slice(at, at + MOST))
  }
  return (wish) =>
    new Promise((resolve, reject) => {
      if (open.length === 0) setTimeout(flush, GATHER_MS)
      open.push({ wish, resolve, reject })
    })
}
