/** The error of the service, with suggested actions. */
import { isTooLarge, tryAgain, unpinThese } from '../../state/explore'
import { pins } from '../../state/pins'
import { Button, ButtonLink } from '../parts/button'
import { Empty } from '../parts/empty'
import { ProblemBox } from '../parts/problem-box'

export function Trouble({ problem }: { problem: unknown }) {
  const large = isTooLarge(problem)
  return (
    <ProblemBox problem={problem}>
      {large && <p>Try fewer pieces or a smaller board.</p>}
      {pins.value.length > 0 && <Button onClick={unpinThese}>Take back your choices</Button>}
      <Button onClick={tryAgain}>Try again</Button>
      {large && <ButtonLink href="#/count" icon="count">See the forecast of the count</ButtonLink>}
    </ProblemBox>
  )
}

export function Stopped() {
  return (
    <Empty title="You stopped waiting">
      <Button kind="primary" onClick={tryAgain}>Try again</Button>
      <ButtonLink href="#/count" icon="count">See the forecast of the count</ButtonLink>
    </Empty>
  )
}
