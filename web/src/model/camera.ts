/**
 * The camera over a sheet converts lengths on the sheet to pixels of the canvas. The unit of length
 * is the side of a square.
 *
 *     pixel = length · scale + (x, y)
 *
 * All pixels here are CSS pixels; the easel (views/draw) converts them to pixels of the screen.
 */
import type { Box } from './sheet'

export interface Camera {
  /** Pixels of a length of 1. */
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** The bounds of scale when zooming: with the smallest, a board of 500x500 cells fits on the screen. */
const LEAST = 0.5
const MOST = 160
/** The largest scale that fit chooses. */
const MOST_FIT = 64

/** The camera that shows a box with a margin, centred and as large as possible. */
export function fit(box: Box, size: Size, margin: number): Camera {
  const width = box.right - box.left + 2 * margin
  const height = box.bottom - box.top + 2 * margin
  const scale = clamp(Math.min(size.width / width, size.height / height), LEAST, MOST_FIT)
  return {
    scale,
    x: size.width / 2 - ((box.left + box.right) / 2) * scale,
    y: size.height / 2 - ((box.top + box.bottom) / 2) * scale,
  }
}

/** Zooms by a factor. The point at the pixel stays fixed. */
export function zoom(camera: Camera, factor: number, px: number, py: number): Camera {
  const scale = clamp(camera.scale * factor, LEAST, MOST)
  const by = scale / camera.scale
  return { scale, x: px - (px - camera.x) * by, y: py - (py - camera.y) * by }
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx, y: camera.y + dy }
}

export function toSheet(camera: Camera, px: number, py: number): readonly [number, number] {
  return [(px - camera.x) / camera.scale, (py - camera.y) / camera.scale]
}

export function seen(camera: Camera, size: Size): Box {
  const [left, top] = toSheet(camera, 0, 0)
  const [right, bottom] = toSheet(camera, size.width, size.height)
  return { left, top, right, bottom }
}

/** Whether a box with a margin is fully visible. */
export function sees(camera: Camera, size: Size, box: Box, margin: number): boolean {
  const all = seen(camera, size)
  return all.left <= box.left - margin && all.right >= box.right + margin && all.top <= box.top - margin && all.bottom >= box.bottom + margin
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
