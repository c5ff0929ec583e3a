/** The service behind the page, as the frame shows it: whether it answers, whether it wants a token, which version it is. */
import { signal } from '@preact/signals'
import { version } from '../api/puzzles'

export { away, awayWords, refused, setToken, token, tokenWanted } from '../api/http'
export { loading, unsaved } from '../api/engines'

/** The version of the program, such as "pavage v1.2.0"; "" while it is not known. What it was built with is left to pavage version. */
export const programVersion = signal('')

export async function askVersion(): Promise<void> {
  programVersion.value = await version().then((said) => said.version.split(',')[0] ?? '', () => '')
}
