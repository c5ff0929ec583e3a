/** Controls of a solid: take it apart, cut it, put it together. */
import { IconButton } from '../parts/button'
import { Segmented } from '../parts/segmented'
import type { Choice } from './arrange'

export interface ControlsProps {
  choice: Choice
  change: (part: Partial<Choice>) => void
  layers: number
  /** The number of pieces; 0 for a heat-map. */
  pieces: number
}

export function Controls({ choice, change, layers, pieces }: ControlsProps) {
  return (
    <div class="solid-tools">
      {pieces > 0 && (
        <div class="solid-tool">
          <Slider label="Explode" value={Math.round(choice.amount * 100)} max={100} shown={`${Math.round(choice.amount * 100)} %`} onInput={(amount) => change({ amount: amount / 100 })} />
          <Segmented
            label="Move apart" quiet value={choice.apart} options={[{ value: 'pieces', label: 'Pieces' }, { value: 'layers', label: 'Layers' }]}
            onChange={(apart) => change({ apart, amount: choice.amount || 0.6 })}
          />
        </div>
      )}
      {layers > 1 && (
        <div class="solid-tool">
          <Slider label="Layers" value={choice.layers} min={1} max={layers} shown={`${choice.layers} of ${layers}`} onInput={(n) => change({ layers: n })} />
        </div>
      )}
      {pieces > 1 && <Steps choice={choice} change={change} pieces={pieces} />}
    </div>
  )
}

/** A slider and buttons that show the pieces one after another, in the order of assembly. */
function Steps({ choice, change, pieces }: Pick<ControlsProps, 'choice' | 'change' | 'pieces'>) {
  const step = choice.step ?? pieces
  return (
    <div class="solid-tool">
      <Slider label="Step through" value={step} max={pieces} shown={`${step} of ${pieces}`} onInput={(n) => change({ step: n })} />
      <div class="solid-row">
        <IconButton icon="left" label="Take the last piece out" disabled={step === 0} onClick={() => change({ step: step - 1 })} />
        <IconButton icon="right" label="Put in the next piece" onClick={() => change({ step: choice.step === null || step === pieces ? 1 : step + 1 })} />
      </div>
    </div>
  )
}

interface SliderProps {
  label: string
  value: number
  min?: number
  max: number
  shown: string
  onInput: (value: number) => void
}

function Slider({ label, value, min = 0, max, shown, onInput }: SliderProps) {
  return (
    <label class="solid-slider">
      <span class="solid-slider-name">{label}</span>
      <input type="range" min={min} max={max} value={value} aria-valuetext={shown} onInput={(event) => onInput(event.currentTarget.valueAsNumber)} />
      <output class="solid-slider-value">{shown}</output>
    </label>
  )
}
