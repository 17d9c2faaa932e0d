// What the page can do, by name; the palette lists it.
import { PANELS } from '../state/view'
import type { App } from './app'
import { PANEL_NAMES } from './dock'
import { saveImage } from './image'
import type { Command } from './palette/palette'
import { copyLink, saveArrow, saveJson } from './save'

export function commandsOf(app: App): Command[] {
  const { timeline } = app
  return [
    { name: 'Add a memory…', words: 'new remember write create', key: 'n', act: () => app.addMemory() },
    { name: 'Search memory', words: 'find', key: '/', act: () => app.search.focus() },
    { name: 'Back to now', words: 'today present', key: 't', act: () => timeline.backToNow() },
    { name: 'Play through time', words: 'pause history animate', key: 'Space', act: () => timeline.toggle() },
    { name: 'Show whole map', words: 'home fit zoom reset', key: 'h', act: () => app.showWholeMap() },
    { name: 'Toggle flat map', words: '2d 3d', key: '2', act: () => app.display.toggleFlat() },
    { name: 'Toggle light theme', words: 'dark colours', key: 'l', act: () => app.display.toggleTheme() },
    { name: 'Show or hide cluster areas', words: 'hulls', key: 'a', act: () => app.display.toggleAreas() },
    { name: 'Place by meaning or by links', words: 'layout graph force springs', key: 'g', act: () => app.display.toggleLayout() },
    { name: 'Show or hide entities', words: 'hubs knowledge graph relations people', key: 'e', act: () => app.display.toggleHubs() },
    { name: 'Filter by time learned', words: 'span range brush', key: 'r', act: () => timeline.toggleBrush() },
    { name: 'Select all shown memories', words: 'lasso tag pin forget export several', act: () => app.lasso.selection.selectShown() },
    { name: 'Clear all filters', words: 'reset show all', act: () => app.clearFilters() },
    ...PANELS.map((panel) => ({ name: `Open ${PANEL_NAMES[panel].toLowerCase()}`, words: panel === 'changes' ? 'what changed compare diff' : 'panel show', act: () => app.dock.openPanel(panel) })),
    { name: 'Save image (PNG)', words: 'picture export screenshot', key: 'p', act: () => void saveImage(app, app.stage) },
    { name: 'Export shown memories (JSON)', words: 'save download', key: 'j', act: () => saveJson(app) },
    { name: 'Export all memories (Arrow)', words: 'save download', act: () => saveArrow(app, 'memories') },
    { name: 'Copy link to this view', words: 'share address', act: () => void copyLink(app) },
    { name: 'Take the tour', words: 'introduction', act: () => void app.tour.start() },
    { name: 'Help', words: 'keys symbols shortcuts', key: '?', act: () => app.help.toggle() },
  ]
}
