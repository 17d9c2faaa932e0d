import { describe, expect, it } from 'vitest'
import { isSignedIn, noteClose, noteStatus, onSignedOut, signInAddress } from '../src/api/signin'

describe('the sign-in', () => {
  it('is known by its mark among the cookies', () => {
    expect(isSignedIn('')).toBe(false)
    expect(isSignedIn('a=1; __Host-somnograph-user=1')).toBe(true)
    expect(isSignedIn('a=__Host-somnograph-user=1')).toBe(false)
  })

  it('leads back to the view', () => {
    expect(signInAddress({ search: '?test=1', hash: '#t=5&s=a' })).toBe('signin?to=%2F%3Ftest%3D1%23t%3D5%26s%3Da')
  })

  it('has ended after status 401 and the close codes 4401 and 4403, and after no others', () => {
    let ended = 0
    onSignedOut(() => ended++)
    for (const status of [200, 403, 429, 500]) noteStatus(status)
    for (const event of [null, new Error('x'), { code: 1006 }, { code: 4429 }]) expect(noteClose(event)).toBe(false)
    expect(ended).toBe(0)
    noteStatus(401)
    expect(noteClose({ code: 4401 })).toBe(true)
    expect(noteClose({ code: 4403 })).toBe(true)
    expect(ended).toBe(3)
  })
})
