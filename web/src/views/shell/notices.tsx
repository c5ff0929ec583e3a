/** What concerns the whole page: the service is away, or something failed that no view has shown. */
import { caught } from '../../state/caught'
import { away } from '../../state/service'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'
import './notices.css'

export function Notices() {
  return (
    <div class="notices no-print">
      {away.value && <p class="notices-away"><Busy label="The service does not answer. The page tries again." /></p>}
      {caught.value !== null && (
        <ProblemBox problem={caught.value} title="Something failed.">
          <Button onClick={() => { caught.value = null }}>Close</Button>
        </ProblemBox>
      )}
    </div>
  )
}
