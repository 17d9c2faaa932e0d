// Panels of the group "clusters".
import '../../style/dock.css'
import '../../style/memories.css'
import '../../style/clusters.css'
import type { Panel } from '../../state/view'
import type { Tab } from '../tab'
import type { Session } from '../session'
import { ClustersTab } from './clusters'
import { PatternsTab } from './patterns'

export function makeTab(panel: Panel, s: Session): Tab {
  return panel === 'patterns' ? new PatternsTab(s) : new ClustersTab(s)
}
