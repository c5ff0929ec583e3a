/** All parts on one page, for developers: #/parts, only with npm run dev. */
import { useState } from 'preact/hooks'
import { latticeNames } from '../../model/lattice'
import { WAITS } from '../../model/job-words'
import { kindWords } from '../../model/shelf'
import { Bar } from './bar'
import { BigNumber } from './big-number'
import { Busy } from './busy'
import { Button, IconButton } from './button'
import { Chip } from './chip'
import { Copy } from './copy'
import { Dialog } from './dialog'
import { Empty } from './empty'
import { Field, NumberField, Select } from './field'
import { iconNames } from './icons'
import { Menu } from './menu'
import { ProblemBox } from './problem-box'
import { Segmented } from './segmented'
import { SplitView } from './split-view'
import { Tabs } from './tabs'

const lattices = latticeNames.map((value) => ({ value, label: kindWords(value) }))
type Name = (typeof lattices)[number]['value']

export default function AllParts() {
  return (
    <>
      <h1>Parts</h1>
      <SplitView picture={<><Buttons /><Controls /></>} panel={<Answers />} />
    </>
  )
}

function Buttons() {
  const [open, setOpen] = useState(false)
  return (
    <section class="sheet">
      <h2>Buttons</h2>
      <p>
        <Button kind="primary" onClick={() => setOpen(true)}>Open a dialog</Button> <Button icon="dice">Draw 12 samples</Button>{' '}
        <Button kind="primary" busy>Count tilings</Button> <Button disabled>Not now</Button>{' '}
        <Copy text="129168" label="Copy the link" />{' '}
        <Menu label="Save" items={[{ label: 'As SVG', icon: 'download', onChoose: () => setOpen(true) }, { label: 'As PNG', onChoose: () => setOpen(true) }]} />
      </p>
      <p>{iconNames.map((name) => <IconButton key={name} icon={name} label={name} pressed={name === 'pencil' ? true : undefined} />)}</p>
      <p><Chip icon="pin" colour="crimson" onRemove={() => setOpen(false)}>X at 3, 4</Chip> <Chip>Squares</Chip> <Busy label="Counting" /></p>
      <Dialog title="A dialog" open={open} onClose={() => setOpen(false)} actions={<Button kind="primary" onClick={() => setOpen(false)}>Done</Button>}>
        <p>The focus stays here and goes back.</p>
      </Dialog>
    </section>
  )
}

function Controls() {
  const [name, setName] = useState<Name>('square')
  const [text, setText] = useState('My puzzle')
  const [rows, setRows] = useState(8)
  return (
    <section class="sheet">
      <h2>Fields</h2>
      <Field label="Title" value={text} onInput={setText} />
      <Field label="With a mistake" value={text} onInput={setText} error="unknown piece “domyno”, did you mean domino?" />
      <NumberField label="Rows" value={rows} min={1} max={64} onChange={setRows} hint="1 to 64" />
      <Select label="Lattice" value={name} options={lattices} onChange={setName} />
      <p><Segmented label="Lattice" value={name} options={lattices} onChange={setName} /></p>
      <Tabs label="Panels" value={name} options={lattices} onChange={setName}>The panel of {name}</Tabs>
    </section>
  )
}

function Answers() {
  return (
    <section class="sheet">
      <h2>Answers</h2>
      <BigNumber value="129168" />
      <BigNumber value="1269984011256235834242602753102293934298576249856" />
      <BigNumber value={'1234567890'.repeat(30)} />
      <Bar label="Counting" fraction={0.42}>About 3 minutes left</Bar>
      <Bar label={WAITS} />
      <ProblemBox problem={{ message: 'puzzle:3:6: unknown key "nam", did you mean name?', details: [{ message: 'unknown key "nam", did you mean name?', line: 3, column: 6 }] }}>
        <Button>Try again</Button>
      </ProblemBox>
      <Empty title="No jobs yet"><p>Counts that take longer than five seconds are listed here.</p></Empty>
    </section>
  )
}
