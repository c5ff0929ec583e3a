/** The camera that looks at a solid: rotation, tilt and zoom. */
import type { Point } from './mesh'

export interface Camera {
  /** The rotation around the vertical axis, in radians. */
  readonly turn: number
  /** The angle of the eye above the ground, in radians. */
  readonly tilt: number
  /** 1 if the whole solid just fits; larger when zoomed in. */
  readonly zoom: number
}

export const home: Camera = { turn: 0.62, tilt: 0.52, zoom: 1 }

const MOST_TILT = 1.5
const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))

export function turned(camera: Camera, turn: number, tilt: number): Camera {
  return { ...camera, turn: camera.turn + turn, tilt: clamp(camera.tilt + tilt, -MOST_TILT, MOST_TILT) }
}

export function zoomed(camera: Camera, by: number): Camera {
  return { ...camera, zoom: clamp(camera.zoom * by, 0.4, 6) }
}

/** The direction from the solid to the eye. */
export function eyeOf({ turn, tilt }: Camera): Point {
  return [Math.sin(turn) * Math.cos(tilt), Math.sin(tilt), Math.cos(turn) * Math.cos(tilt)]
}

/** The distance of the eye at which a ball fits into a picture. `angle` is the vertical angle of view. */
export function distanceFor(radius: number, angle: number, aspect: number): number {
  const half = Math.min(angle / 2, Math.atan(Math.tan(angle / 2) * aspect))
  return radius / Math.sin(half)
}

/** The camera after a key; null for other keys. */
export function keyed(camera: Camera, key: string): Camera | null {
  const step = Math.PI / 24
  switch (key) {
    case 'ArrowLeft': return turned(camera, -step, 0)
    case 'ArrowRight': return turned(camera, step, 0)
    case 'ArrowUp': return turned(camera, 0, step)
    case 'ArrowDown': return turned(camera, 0, -step)
    case '+': case '=': return zoomed(camera, 1.15)
    case '-': case '_': return zoomed(camera, 1 / 1.15)
    case 'Home': return home
  }
  return null
}
