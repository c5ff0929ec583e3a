/** The tiling as the service draws it in the SVG file. */
import { useEffect, useState } from 'preact/hooks'
import { capital } from '../../model/capital'
import { isTimeout, pictureOfTiling, rank, shortly } from '../../state/save'
import { conditions } from '../../state/pins'
import { sent } from '../../state/store'
import { useAddress } from '../parts/address'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { ProblemBox, troubleOf } from '../parts/problem-box'

export function Preview({ label }: { label: string }) {
  const [picture, setPicture] = useState<Blob>()
  const address = useAddress(picture)
  const [problem, setProblem] = useState<unknown>(null)
  const [patient, setPatient] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    setPicture(undefined)
    setProblem(null)
    pictureOfTiling(patient ? stop.signal : shortly(stop.signal)).then(
      (picture) => {
        if (!stop.signal.aborted) setPicture(picture)
      },
      (caught: unknown) => {
        if (!stop.signal.aborted) setProblem(caught)
      },
    )
    return () => stop.abort()
  }, [sent.value, rank.value, conditions.value, patient])
  if (isTimeout(problem)) {
    return (
      <div class="save-preview">
        <p>Drawing this tiling needs some time.</p>
        <Button icon="look" onClick={() => setPatient(true)}>Draw it anyway</Button>
      </div>
    )
  }
  if (problem !== null) return <ProblemBox problem={inWords(problem)} />
  return <div class="save-preview">{address ? <img src={address} alt={label} /> : <Busy label="Drawing the tiling" />}</div>
}

function inWords(problem: unknown) {
  const { message, ...more } = troubleOf(problem)
  return { ...more, message: capital(message) }
}
