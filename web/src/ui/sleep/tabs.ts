// Panels of the group "sleep".
import '../../style/dock.css'
import '../../style/sleep.css'
import type { Panel } from '../../state/view'
import type { Tab } from '../tab'
import type { Session } from '../session'
import { ConflictsTab } from './conflicts'
import { FadingTab } from './fading'
import { ReportsTab } from './reports'
import { PolicyTab } from './policy'
import { SleepTab } from './sleep'

export function makeTab(panel: Panel, s: Session): Tab {
  switch (panel) {
    case 'mornings':
      return new ReportsTab(s)
    case 'fading':
      return new FadingTab(s)
    case 'conflicts':
      return new ConflictsTab(s)
    case 'policy':
      return new PolicyTab(s)
    default:
      return new SleepTab(s)
  }
}
