// Panels of the group "agent".
import '../../style/dock.css'
import '../../style/agent.css'
import type { Panel } from '../../state/view'
import type { Tab } from '../tab'
import type { Session } from '../session'
import { PromptTab } from './prompt'
import { TasksTab } from './tasks'

export function makeTab(panel: Panel, s: Session): Tab {
  return panel === 'tasks' ? new TasksTab(s) : new PromptTab(s)
}
