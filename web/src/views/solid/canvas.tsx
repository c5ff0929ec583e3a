/**
 * The canvas of a solid, which the mouse, fingers and keys turn. It draws `shown`.
 *
 *   drag                  turn            arrows    turn
 *   wheel, two fingers    zoom            + and -   zoom
 *   click                 choose          Home      reset
 */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Shown } from './arrange'
import { home, keyed, turned, zoomed, type Camera } from './camera'
import { stage, type Stage } from './scene'

export interface CanvasProps {
  shown: Shown
  label: string
  camera: Camera
  onCamera: (change: (camera: Camera) => Camera) => void
  onHover: (index: number | null) => void
  onChoose: (index: number) => void
  onSpace: () => void
  /** Called if there is no WebGL. */
  onNone: () => void
  /** Receives a function that makes a PNG of the canvas. */
  picture: RefObject<(() => Promise<Blob | null>) | null>
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches

export function Canvas(props: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const on = useStage(canvas, props)
  const moves = usePointers(canvas, on, props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === ' ') props.onSpace()
    else if (keyed(home, event.key)) props.onCamera((camera) => keyed(camera, event.key) ?? camera)
    else return
    event.preventDefault()
  }
  return <canvas ref={canvas} class="solid-canvas" role="img" aria-label={props.label} tabIndex={0} onKeyDown={onKeyDown} {...moves} />
}

/** Creates the stage with the canvas, keeps it at the size of the canvas, and removes it with the canvas. */
function useStage(canvas: RefObject<HTMLCanvasElement | null>, { shown, camera, onNone, picture }: CanvasProps): RefObject<Stage | null> {
  const on = useRef<Stage | null>(null)
  const [, again] = useState(0)
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    try {
      on.current = stage(element, still)
    } catch {
      onNone()
      return undefined
    }
    picture.current = on.current.picture
    const watch = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = element
      if (clientWidth > 0 && clientHeight > 0) on.current?.resize(clientWidth, clientHeight, Math.min(2, devicePixelRatio))
    })
    watch.observe(element)
    again((n) => n + 1)
    return () => {
      watch.disconnect()
      on.current?.free()
      on.current = null
      picture.current = null
    }
  }, [])
  useEffect(() => on.current?.show(shown), [shown, on.current])
  useEffect(() => on.current?.look(camera), [camera, on.current])
  return on
}

interface Gesture {
  readonly fingers: Map<number, readonly [number, number]>
  moved: number
}

function usePointers(canvas: RefObject<HTMLCanvasElement | null>, on: RefObject<Stage | null>, { onCamera, onHover, onChoose }: CanvasProps) {
  const gesture = useRef<Gesture>({ fingers: new Map(), moved: 0 }).current
  const pick = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    return box && on.current ? on.current.pick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height) : null
  }
  useWheel(canvas, (by) => onCamera((camera) => zoomed(camera, by)))
  return {
    onPointerDown: (event: PointerEvent) => {
      canvas.current?.setPointerCapture(event.pointerId)
      if (gesture.fingers.size === 0) gesture.moved = 0
      gesture.fingers.set(event.pointerId, [event.clientX, event.clientY])
    },
    onPointerMove: (event: PointerEvent) => {
      const before = gesture.fingers.get(event.pointerId)
      if (!before) return event.pointerType === 'mouse' ? onHover(pick(event)) : undefined
      const change = moveOf(gesture, event, before)
      gesture.fingers.set(event.pointerId, [event.clientX, event.clientY])
      if (gesture.moved > 4) onCamera(change)
    },
    onPointerUp: (event: PointerEvent) => {
      const clicked = gesture.fingers.size === 1 && gesture.moved <= 4
      gesture.fingers.delete(event.pointerId)
      const index = clicked ? pick(event) : null
      if (index !== null) onChoose(index)
    },
    onPointerCancel: (event: PointerEvent) => gesture.fingers.delete(event.pointerId),
    onPointerLeave: () => onHover(null),
  }
}

/** The change of the camera by a move of one finger: it turns, or zooms if a second finger is down. */
function moveOf(gesture: Gesture, event: PointerEvent, before: readonly [number, number]): (camera: Camera) => Camera {
  const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]]
  gesture.moved += Math.hypot(dx, dy)
  const other = [...gesture.fingers].find(([id]) => id !== event.pointerId)?.[1]
  if (!other) return (camera) => turned(camera, -dx * 0.008, dy * 0.008)
  const far = Math.hypot(event.clientX - other[0], event.clientY - other[1])
  const was = Math.hypot(before[0] - other[0], before[1] - other[1])
  return (camera) => zoomed(camera, was > 0 ? far / was : 1)
}

/** Makes the wheel zoom. The listener must not be passive, or it could not keep the page from scrolling. */
function useWheel(canvas: RefObject<HTMLCanvasElement | null>, onZoom: (by: number) => void): void {
  const latest = useRef(onZoom)
  latest.current = onZoom
  useEffect(() => {
    const element = canvas.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      latest.current(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.0012 : 0.04)))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])
}
