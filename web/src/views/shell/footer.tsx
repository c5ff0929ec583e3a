/** The version, a link to the documentation of the API, and the license. */
import { useEffect } from 'preact/hooks'
import { inPage } from '../../model/in-page'
import { askVersion, programVersion } from '../../state/service'
import './footer.css'

export function Footer() {
  useEffect(() => void askVersion(), [])
  return (
    <footer class="footer no-print">
      <span>{programVersion.value || 'pavage'}</span>
      {!inPage && <a href="/docs">API documentation</a>}
      <span>Free to use, change and share: MIT License</span>
    </footer>
  )
}
