// Panels of the group "memories".
import '../../style/dock.css'
import '../../style/memories.css'
import type { Panel } from '../../state/view'
import type { Tab } from '../tab'
import type { Session } from '../session'
import { ChangesTab } from './changes'
import { DocumentsTab } from './documents'
import { EntitiesTab } from './entities'
import { KnownTab } from './known'
import { ListTab } from './list'

export function makeTab(panel: Panel, s: Session): Tab {
  if (panel === 'documents') return new DocumentsTab(s)
  if (panel === 'changes') return new ChangesTab(s)
  if (panel === 'known') return new KnownTab(s)
  return panel === 'entities' ? new EntitiesTab(s) : new ListTab(s)
}
