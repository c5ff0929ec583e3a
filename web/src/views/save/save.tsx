/**
 * Save & print: files and printed sheets.
 *
 *   ┌ Files ┬ Paper ┐
 *   │ tiling  sheet │   each file with a line on what it is for
 *   │ puzzle  proof │
 *   └───────────────┘
 */
import { signal } from '@preact/signals'
import { drawing } from '../../state/store'
import { Tabs } from '../parts/tabs'
import { Files } from './files'
import { Print } from './print/print'
import './save.css'

const tabs = [{ value: 'files', label: 'Files' }, { value: 'paper', label: 'Print to cut out' }] as const
type Tab = (typeof tabs)[number]['value']

/** The last tab, restored when the view opens again. */
const tabNow = signal<Tab>('files')

export function Save() {
  const tab = tabNow.value
  return (
    <div class="save">
      <h1 class="unseen">Save &amp; print</h1>
      {drawing.value
        ? <Tabs label="Save or print" value={tab} options={tabs} onChange={(next) => { tabNow.value = next }}>{tab === 'files' ? <Files /> : <Print />}</Tabs>
        : <Files />}
    </div>
  )
}
