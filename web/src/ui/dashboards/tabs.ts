// Panels of the group "dashboards".
import '../../style/dock.css'
import '../../style/dashboards.css'
import type { Panel } from '../../state/view'
import type { Tab } from '../tab'
import type { Session } from '../session'
import { BoardsTab } from './boards'
import { GateTab } from './gate'
import { HealthTab } from './health'
import { PrivacyTab } from './privacy'
import { QualityTab } from './quality'
import { SpeedTab } from './speed'

export function makeTab(panel: Panel, s: Session): Tab {
  switch (panel) {
    case 'boards':
      return new BoardsTab(s)
    case 'quality':
      return new QualityTab(s)
    case 'gate':
      return new GateTab(s)
    case 'privacy':
      return new PrivacyTab(s)
    case 'speed':
      return new SpeedTab(s)
    default:
      return new HealthTab(s)
  }
}
