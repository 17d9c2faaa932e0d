// How a prompt divides its token budget.
import type { Prompt } from '../api/agent'

export interface BudgetPiece {
  key: string
  label: string
  value: number
  /** of the budget, or of the prompt if that is larger */
  share: number
}

/** The tokens of the layers, of headings between them, and the unused rest. */
export function budgetShares(p: Pick<Prompt, 'layers' | 'totalTokens'>, budget: number): BudgetPiece[] {
  const whole = Math.max(budget, p.totalTokens, 1)
  const piece = (key: string, label: string, value: number): BudgetPiece => ({ key, label, value, share: value / whole })
  const named = p.layers.map((l) => piece(l.name.toLowerCase(), l.name.charAt(0) + l.name.slice(1).toLowerCase(), l.tokens))
  const joined = Math.max(p.totalTokens - p.layers.reduce((n, l) => n + l.tokens, 0), 0)
  return [...named, piece('between', 'Headings', joined), piece('unused', 'Unused', Math.max(budget - p.totalTokens, 0))]
}

/** Why something is missing: the budget is used up, or what was left out needs more than the rest. */
export function truncatedText(used: number, budget: number): string {
  const cause = used >= 0.9 * budget ? 'The budget is used up' : `The ${(budget - used).toLocaleString('en')} tokens that are left are too few for the next memory`
  return `${cause}. Some memories were left out or shortened.`
}
