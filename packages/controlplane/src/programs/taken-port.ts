import { type AnyPort, canChoosePorts, listenerAt, type Listener } from '@weft/program'

const TAKEN = /address already in use|EADDRINUSE/i
/** Before those words, as Go says it (`listen tcp :8080: bind: …`), or after them, as Node does (`… :::8080`). */
const PORT = /:(\d{2,5}):?[^\n:]{0,40}:? ?(?:address already in use|EADDRINUSE)|(?:address already in use|EADDRINUSE)[^\n]*?:(\d{2,5})\b/i

/** Did a program with these last words end because somebody else listens where it wanted to? */
export const isTaken = (words: string): boolean => TAKEN.test(words)

/** How the system is to choose for a program that ended since its port is taken. One that it chose for already asks for ports of `0.0.0.0`. */
export const nextAnyPort = (before: AnyPort | undefined): AnyPort => (before === undefined ? 'usual' : 'every')

/** Which port that is and who has it, and what to do; undefined when it ended for another reason. */
export async function whyTaken(words: string): Promise<string | undefined> {
  if (!isTaken(words)) return undefined
  const [, before, after] = PORT.exec(words) ?? []
  const port = Number(before ?? after)
  const taken = port > 0 ? `port ${port} is taken${heldBy(await listenerAt(port))}` : 'a port that it needs is taken'
  const otherwise = (await canChoosePorts())
    ? ''
    : ', or install bubblewrap on this machine, with which Weft lets the system choose free ports for programs that take no others'
  return `${taken}: have the program listen elsewhere with the args or env of a DeploymentRuntimeConfig${otherwise}`
}

const heldBy = (holder: Listener | undefined): string =>
  holder === undefined
    ? ''
    : ` by ${holder.package === undefined ? holder.program : `the program of ${holder.package}`} (process ${holder.pid})`
