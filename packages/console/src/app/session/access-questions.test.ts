import { expect, it } from 'vitest'
import type { Api } from '../api/api.ts'
import { accessQuestions } from './access-questions.ts'

function server(answer: (wishes: readonly { verb: string }[]) => unknown) {
  const asked: number[] = []
  const send = async (_method: string, path: string, body: { wishes: readonly { verb: string }[] }): Promise<unknown> => {
    expect(path).toBe('/console/access')
    asked.push(body.wishes.length)
    return answer(body.wishes)
  }
  return { asked, ask: accessQuestions({ send } as unknown as Api) }
}

it('asks all that is asked at once in one request, and gives each its answer', async () => {
  const { asked, ask } = server((wishes) => ({ allowed: wishes.map(({ verb }) => verb === 'get') }))
  expect(await Promise.all(['get', 'delete', 'get'].map((verb) => ask({ verb })))).toEqual([true, false, true])
  expect(await ask({ verb: 'get' })).toBe(true)
  expect(asked).toEqual([3, 1])
})

it('fails for all that were in the request, and works again afterwards', async () => {
  let isDown = true
  const { ask } = server(() => {
    if (isDown) throw new Error('down')
    return { allowed: [true] }
  })
  const outcomes = await Promise.allSettled([ask({ verb: 'a' }), ask({ verb: 'b' })])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await ask({ verb: 'a' })).toBe(true)
})
