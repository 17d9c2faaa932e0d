import './style/base.css'
import './style/scene.css'
import './style/panels.css'
import { App } from './ui/app'
import { listenToKeys } from './ui/keyboard'
import { h } from './ui/dom'

const params = new URLSearchParams(location.search)
const testing = params.get('test') === '1'
const calm = matchMedia('(prefers-reduced-motion: reduce)')
const root = document.getElementById('app')!

try {
  // Tests check states without movement; those that check movement ask for it.
  const motionOff = testing && !params.has('motion')
  const app = new App(root, () => calm.matches || motionOff, !testing, !testing || params.has('guided'))
  listenToKeys(app)
  if (testing) void import('./testing').then((t) => t.install(app))
} catch (e) {
  // Most likely WebGL 2 is missing. The page says so instead of staying dark.
  root.replaceChildren(
    h('div', { class: 'notice-wrap' },
      h('div', { class: 'notice panel', role: 'alert' }, h('h2', {}, 'This browser cannot draw the map'), h('p', {}, 'Somnograph needs WebGL 2. The API and the command line work without it.'), h('p', { class: 'muted small' }, e instanceof Error ? e.message : ''))),
  )
}
