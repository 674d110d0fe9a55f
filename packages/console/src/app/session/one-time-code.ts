/** The path of the one-time link. Its code is in the fragment, which browsers do not send. */
export const SIGN_IN_PATH = '/console/sign-in'

/** The code in `#code=…`, if any. */
export function codeOf(fragment: string): string | undefined {
  const code = new URLSearchParams(fragment.replace(/^#/, '')).get('code')
  return code === null || code === '' ? undefined : code
}

/** Reads the code once and removes it from the address bar and the history, before anything else can see it. */
export function takeOneTimeCode(window: Pick<Window, 'location' | 'history'>): string | undefined {
  if (window.location.pathname !== SIGN_IN_PATH) return undefined
  const code = codeOf(window.location.hash)
  window.history.replaceState(null, '', '/')
  return code
}
