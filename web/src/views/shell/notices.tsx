/** Notices about the whole page: service away, jobs not saved, link or file invalid, an error that no view has shown. */
import { useEffect, useRef } from 'preact/hooks'
import { capital } from '../../model/capital'
import { caught } from '../../state/caught'
import { linkProblem, view, type View } from '../../state/link'
import { away, awayWords, loading, refused, token, tokenWanted, unsaved } from '../../state/service'
import { bringBack, forgetAside, opened, setAside } from '../../state/store'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'
import { ChooseProblem } from './choose-problem'
import { openProblem, openProblemFile } from './open-file'
import './notices.css'

/** The views that start jobs or list them. */
const withJobs: readonly View[] = ['count', 'jobs']

export function Notices() {
  useEffect(() => { // a newly opened document is valid: the errors of the last file are obsolete
    openProblem.value = null
    caught.value = null
  }, [opened.value])
  return (
    <div class="notices no-print">
      <ChooseProblem />
      <Aside />
      {away.value && <p class="notices-away"><Busy label={`${capital(awayWords.value)}. The page tries again.`} /></p>}
      {loading.value && !away.value && <p class="notices-aside notices-loading"><Busy label="Loading the engines: several megabytes, at the first visit only." /></p>}
      {unsaved.value && withJobs.includes(view.value) && (
        <p class="notices-aside" role="status">
          <span>{unsaved.value}</span>
          <Button onClick={() => { unsaved.value = '' }}>Close</Button>
        </p>
      )}
      {refused.value && (
        <p class="notices-aside">
          <span>{token.value ? 'This service does not accept your token.' : 'This service requires a token: a password from its operator.'}</span>
          <Button icon="key" onClick={() => { tokenWanted.value = true }}>Enter a token</Button>
        </p>
      )}
      {linkProblem.value !== null && (
        <ProblemBox problem={linkProblem.value} title="This link cannot be opened.">
          <Button onClick={() => { linkProblem.value = null }}>Close</Button>
        </ProblemBox>
      )}
      {openProblem.value !== null && (
        <ProblemBox problem={openProblem.value} title={`${openProblemFile.value} cannot be opened.`}>
          <Button onClick={() => { openProblem.value = null }}>Close</Button>
        </ProblemBox>
      )}
      {caught.value !== null && (
        <ProblemBox problem={caught.value} title="Something failed.">
          <Button onClick={() => { caught.value = null }}>Close</Button>
        </ProblemBox>
      )}
    </div>
  )
}

/** Tells that an opened puzzle has replaced a changed drawing. The notice stays only in the view where that happened. */
function Aside() {
  const saidIn = useRef<View | null>(null)
  useEffect(() => {
    if (!setAside.value) saidIn.current = null
    else if (saidIn.current === null || saidIn.current === 'gallery') saidIn.current = view.value
    else if (saidIn.current !== view.value) forgetAside()
  }, [setAside.value, view.value])
  if (!setAside.value) return null
  return (
    <p class="notices-aside" role="status">
      <span>Your drawing is kept.</span>
      <Button icon="undo" onClick={bringBack}>Bring it back</Button>
      <Button onClick={forgetAside}>Close</Button>
    </p>
  )
}
