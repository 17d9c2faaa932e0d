// The sign-in of this browser at a server with authentication.

/** Cookie that the sign-in page sets beside the credential, which no script can read. */
const MARK = '__Host-somnograph-user'

/** Close codes of a socket whose credential has ended, or was not accepted. */
const REFUSED = [4401, 4403]

let listener: () => void = () => {}

/** Sets what is called whenever the server answers that the credential is not accepted. */
export function onSignedOut(act: () => void): void {
  listener = act
}

/** Notes the status of an answer. */
export function noteStatus(status: number): void {
  if (status === 401) listener()
}

/** Notes how a socket was closed; true if it is not worth opening again. */
export function noteClose(event: unknown): boolean {
  const code = (event as { code?: unknown } | null)?.code
  const refused = typeof code === 'number' && REFUSED.includes(code)
  if (refused) listener()
  return refused
}

/** Whether this browser is signed in by a cookie. */
export function isSignedIn(cookies: string = document.cookie): boolean {
  return cookies.split(/;\s*/).some((c) => c.startsWith(`${MARK}=`))
}

/** Address of the sign-in page, which leads back to this view. */
export function signInAddress(from: Pick<Location, 'search' | 'hash'> = location): string {
  return `signin?to=${encodeURIComponent(`/${from.search}${from.hash}`)}`
}

/** Ends the session and shows the sign-in page. */
export function signOut(): void {
  location.assign('signin?out')
}
