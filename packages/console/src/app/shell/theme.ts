import { useEffect, useState } from 'react'

export type Theme = 'system' | 'light' | 'dark'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const KEY = 'weft.theme'

/** The user's choice, kept in this browser; `system` follows prefers-color-scheme. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system')
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem(KEY, theme)
  }, [theme])
  return [theme, () => setTheme((now) => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'system')]
}
