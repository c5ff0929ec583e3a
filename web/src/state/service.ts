/** The state of the service for the frame: whether it answers, whether it requires a token, its version. */
import { signal } from '@preact/signals'
import { version } from '../api/puzzles'

export { away, awayWords, refused, setToken, token, tokenWanted } from '../api/http'
export { loading, unsaved } from '../api/engines'

/** The version of the program, such as "pavage v1.2.0"; "" while it is unknown. */
export const programVersion = signal('')

export async function askVersion(): Promise<void> {
  programVersion.value = await version().then((said) => said.version.split(',')[0] ?? '', () => '')
}
