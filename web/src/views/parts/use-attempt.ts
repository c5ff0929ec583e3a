/** The state of a button's action: whether it is under way, and the error of the last try. */
import { useState } from 'preact/hooks'

export interface Attempt {
  readonly busy: boolean
  readonly problem: unknown
  readonly attempt: (action: () => Promise<unknown>) => Promise<void>
}

export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(undefined)
  const attempt = async (action: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    await action().catch(setProblem)
    setBusy(false)
  }
  return { busy, problem, attempt }
}
