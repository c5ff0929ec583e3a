/** Offers a certificate of the count: a file that a separate checker, which shares no code with the counting, verifies. */
import { fileName } from '../../model/file-name'
import { verifyCommand } from '../../model/verify-command'
import { output } from '../../state/jobs'
import type { Ledger } from '../../state/runs'
import { SavePuzzle } from '../draw/save-puzzle'
import { Button } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'
import { useAttempt } from '../parts/use-attempt'
import { RunSheet } from './run-sheet'

export function Certificate({ now }: { now: Ledger }) {
  const { busy, problem, attempt } = useAttempt()
  const save = async () => saveFile(fileName(now.certify.asked.title, '', 'cert'), await output(now.certify.now.value.job ?? {}))
  return (
    <RunSheet
      title="Certificate" run={now.certify} action="Write a certificate" icon="key"
      onStart={() => void now.certify.start()}
      about="A certificate is a file that proves the count. The program has a separate checker for it, which shares no code with the engines. Writing it may need more time than the count."
    >
      {() => (
        <>
          <p>The certificate contains every step of the count. Save it and the puzzle, and check them with the program:</p>
          <p class="count-command"><code>{verifyCommand(now.certify.asked.conditions)}</code></p>
          <div class="row">
            <Button icon="download" busy={busy} onClick={() => attempt(save)}>Save the certificate</Button>
            <SavePuzzle />
          </div>
          {problem !== undefined && <ProblemBox problem={problem} />}
        </>
      )}
    </RunSheet>
  )
}
