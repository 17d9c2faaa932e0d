// Requests for the prompt preview and for tasks.
import { request, required } from './graphql'
import { operation } from './operations'
import type { CompleteTaskMutation, ConfirmTaskMutation, ContextInput, ContextQuery, DismissTaskMutation, TasksQuery, TaskStatus, TaskFieldsFragment } from './schema.gen'

export type Prompt = NonNullable<ContextQuery['context']>
export type Layer = Prompt['layers'][number]
export type Task = TaskFieldsFragment
export type TaskPage = NonNullable<TasksQuery['tasks']>

/** Previews a prompt. The preview does not count as use of the memories in it. */
export async function fetchPrompt(input: ContextInput, signal?: AbortSignal): Promise<Prompt> {
  return required((await request<ContextQuery, object>(operation('Context'), { input: { ...input, track: false } }, signal)).context)
}

export async function fetchTasks(status: TaskStatus | null, namespaces: string[] | null, after: string | null, signal?: AbortSignal): Promise<TaskPage> {
  return required((await request<TasksQuery, object>(operation('Tasks'), { status, namespaces, after }, signal)).tasks)
}

export async function confirmTask(id: string): Promise<Task> {
  return required((await request<ConfirmTaskMutation, object>(operation('ConfirmTask'), { id })).confirmTask)
}

export async function completeTask(id: string): Promise<Task> {
  return required((await request<CompleteTaskMutation, object>(operation('CompleteTask'), { id })).completeTask)
}

export async function dismissTask(id: string): Promise<Task> {
  return required((await request<DismissTaskMutation, object>(operation('DismissTask'), { id })).dismissTask)
}
