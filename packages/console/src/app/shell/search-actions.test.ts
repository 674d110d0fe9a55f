import { expect, it } from 'vitest'
import { findActions } from './search-actions.ts'

const action = (title: string, over = 'Action') => ({ key: title, over, title, go: () => undefined })
const actions = [action('New PostgreSQLInstance'), action('New MySQLInstance'), action('Sign out'), action('Packages and kinds', 'Page')]

it.each([
  { typed: 'new', found: ['New PostgreSQLInstance', 'New MySQLInstance'] },
  { typed: 'new my', found: ['New MySQLInstance'] },
  { typed: 'MY', found: ['New MySQLInstance'] },
  { typed: 'page', found: ['Packages and kinds'] },
  { typed: 'instance', found: [] },
  { typed: '  ', found: [] },
])('“$typed” finds the actions whose words begin so', ({ typed, found }) => {
  expect(findActions(actions, typed).map(({ title }) => title)).toEqual(found)
})

it('no more are shown than fit below what was found', () => {
  expect(
    findActions(
      Array.from({ length: 50 }, (_, i) => action(`New Kind${i}`)),
      'new',
    ),
  ).toHaveLength(8)
})
