/** Shows the error of a failed view. The rest of the page still works. */
import { Component, type ComponentChildren } from 'preact'
import { Button } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'

interface State {
  problem: unknown
}

export class Boundary extends Component<{ children: ComponentChildren }, State> {
  override state: State = { problem: null }

  static override getDerivedStateFromError(problem: unknown): State {
    return { problem }
  }

  override render() {
    if (this.state.problem === null) return this.props.children
    return (
      <ProblemBox problem={this.state.problem} title="This view has failed.">
        <Button onClick={() => this.setState({ problem: null })}>Try again</Button>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </ProblemBox>
    )
  }
}
