/** One further request about the puzzle: its purpose, a button, the progress and the answer. */
import type { ComponentChildren } from 'preact'
import type { Run } from '../../state/run'
import { Button } from '../parts/button'
import type { IconName } from '../parts/icons'
import { ProblemBox } from '../parts/problem-box'
import { useKeptFocus } from './keep-focus'
import { Progress } from './progress'

export interface RunSheetProps<Answer> {
  title: string
  run: Run<Answer>
  action: string
  icon: IconName
  onStart: () => void
  /** The purpose of the request, shown until it starts. */
  about: ComponentChildren
  children: (answer: Answer) => ComponentChildren
}

export function RunSheet<Answer>({ title, run, action, icon, onStart, about, children }: RunSheetProps<Answer>) {
  const { state, answer, problem, job } = run.now.value
  const part = useKeptFocus<HTMLElement>(state)
  return (
    <section class="sheet count-more" ref={part} tabIndex={-1} aria-label={title}>
      <h2>{title}</h2>
      {state === 'idle' && <p>{about}</p>}
      {state === 'idle' && <Button icon={icon} onClick={onStart}>{action}</Button>}
      {state === 'running' && <Progress job={job} />}
      {state === 'running' && <p><Button icon="cross" onClick={() => run.cancel()}>Cancel</Button></p>}
      {state === 'failed' && <ProblemBox problem={problem}><Button onClick={onStart}>Try again</Button></ProblemBox>}
      {state === 'done' && answer !== undefined && children(answer)}
    </section>
  )
}
