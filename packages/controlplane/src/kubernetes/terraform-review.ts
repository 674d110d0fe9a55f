import { FUNCTION_PATHS, gvkOf, isJsonObject, type KubeObject, specOf, type Status, type TerraformQuestion } from '@weft/api'
import { type Client, seal, type SealingPair, unseal } from '@weft/client'
import type { Author, Authority } from '@weft/plane'
import { mayWritePipelines } from '@weft/plane'
import type { FunctionQuestions } from '../questions/function-questions.ts'
import { Refused } from '../questions/refused.ts'
import { answerQuestion, type Asked } from '../terraform/answer-question.ts'
import type { TerraformAnswers } from '../terraform/terraform-answers.ts'
import type { ReviewRequest } from './review-request.ts'

export interface TerraformReviewSources {
  /** Undefined: no programs of packages may run here. */
  readonly answers: TerraformAnswers | undefined
  /** With the rights of providers. */
  readonly client: Client
  readonly authority: Authority
  /** Answers about functions. */
  readonly functions: FunctionQuestions
  /** The same on every replica: one may be asked for its key, and another the question. */
  readonly pair: SealingPair
}

/** An API server waits for half a minute at most; what is not known by then is said not to be known. */
const ANSWER_MS = 25_000

/** What becomes of a TerraformReview that somebody creates: its status, or why it is refused. */
export async function answerTerraformReview(
  { object, dryRun }: ReviewRequest,
  author: Author,
  { answers, client, authority, functions, pair }: TerraformReviewSources,
): Promise<{ readonly answer: object } | { readonly refusal: Status }> {
  if (dryRun !== true)
    return { refusal: refusal('a TerraformReview is answered as a dry run only, and never kept: ask by weft diff or weft import') }
  const spec = specOf(object)
  const { question: sealed, publicKey: asker } = spec
  if (typeof sealed !== 'string' || typeof asker !== 'string') return { answer: { publicKey: pair.publicKey } }
  let question: TerraformQuestion
  try {
    question = unseal(sealed, pair, asker, 'question') as TerraformQuestion
  } catch {
    // Sealed for a key that is no longer ours, as far as anybody can tell.
    return { answer: { publicKey: pair.publicKey } }
  }
  if (!isJsonObject(question) || typeof question.path !== 'string') return { refusal: refusal('the question names no path') }
  const signal = AbortSignal.timeout(ANSWER_MS)
  const isAboutFunctions = question.path === FUNCTION_PATHS.run
  if (!isAboutFunctions && answers === undefined)
    return { refusal: refusal('Terraform providers do not run here: start Weft with --allow-provider-executables') }
  const found = isAboutFunctions
    ? await functions.answer(async () => question.body, {
        username: author.username,
        mayWritePipelines: () => mayWritePipelines(authority, author),
        signal,
      })
    : answers && (await answerQuestion(question, { answers, client, signal, mayWrite: mayWrite(authority, author) }))
  if (found instanceof Refused && found.status.code !== 404) return { refusal: found.status }
  if (found === undefined || found instanceof Refused) return { answer: {} }
  return { answer: { answer: seal(found, pair, asker, 'answer') } }
}

/** As on the embedded server: a plan is for those who could have written the object and read what became of it. */
const mayWrite =
  (authority: Authority, author: Author): Asked['mayWrite'] =>
  async (resource: KubeObject, plural: string, exists: boolean) => {
    const { group } = gvkOf(resource)
    const { name } = resource.metadata
    for (const verb of exists ? ['get', 'update'] : ['create'])
      if (!(await authority.allows(author, { verb, group, resource: plural, ...(exists && { name }) }))) return false
    return true
  }

const refusal = (message: string): Status => new Refused(400, message).status
