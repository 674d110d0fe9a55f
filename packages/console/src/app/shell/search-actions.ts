import { useMemo } from 'react'
import { isIntent } from '../../kinds/kind-info.ts'
import { navigate } from '../routing/navigation.tsx'
import type { Route } from '../routing/route.ts'
import { useConsole } from '../session/console.tsx'
import type { Entry } from './use-found.ts'

const MOST = 8

/** What can be done from anywhere. Whether the user may is told where it is done. */
export function useActions(): readonly Entry[] {
  const { kinds, signOut } = useConsole()
  return useMemo(() => {
    const page = (title: string, to: Route): Entry => ({ key: `page ${title}`, over: 'Page', title, go: () => navigate(to) })
    return [
      ...kinds.all.filter(isIntent).map(({ group, plural, kind }): Entry => ({
        key: `new ${plural}.${group}`,
        over: 'Action',
        title: `New ${kind}`,
        note: group,
        go: () => navigate({ page: 'new', group, plural }),
      })),
      { key: 'install', over: 'Action', title: 'Install a package', go: () => navigate({ page: 'packages' }) },
      { key: 'sign out', over: 'Action', title: 'Sign out', go: signOut },
      page('Overview', { page: 'overview' }),
      page('Catalogue', { page: 'catalogue' }),
      page('Packages and kinds', { page: 'packages' }),
      { key: 'manual', over: 'Page', title: 'Manual', go: () => void window.open('/docs/', '_blank', 'noopener') },
    ]
  }, [kinds, signOut])
}

/** Those in whose words all the words that were typed begin one. */
export function findActions(actions: readonly Entry[], text: string): readonly Entry[] {
  const words = wordsOf(text)
  if (words.length === 0) return []
  return actions
    .filter(({ over, title }) => {
      const own = wordsOf(`${over} ${title}`)
      return words.every((word) => own.some((each) => each.startsWith(word)))
    })
    .slice(0, MOST)
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
