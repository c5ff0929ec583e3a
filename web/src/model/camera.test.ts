import { expect, test } from 'vitest'
import { fit, pan, sees, toSheet, zoom } from './camera'

const box = { left: 0, top: 0, right: 8, bottom: 8 }
const size = { width: 400, height: 300 }

test('fit shows the whole box in the middle', () => {
  const camera = fit(box, size, 1)
  expect(camera.scale).toBe(30)
  expect(toSheet(camera, 200, 150)).toEqual([4, 4])
  expect(sees(camera, size, box, 1)).toBe(true)
  expect(sees(camera, size, box, 1.5)).toBe(false)
})

test('the point under the finger stays when the camera zooms', () => {
  const camera = fit(box, size, 1)
  const before = toSheet(camera, 123, 45)
  const after = toSheet(zoom(camera, 1.7, 123, 45), 123, 45)
  expect(after[0]).toBeCloseTo(before[0])
  expect(after[1]).toBeCloseTo(before[1])
})

test('cells stay between the smallest and the largest', () => {
  const camera = fit(box, size, 1)
  expect(zoom(camera, 1e9, 0, 0).scale).toBe(160)
  expect(zoom(camera, 1e-9, 0, 0).scale).toBe(0.5)
})

test('pan moves what is seen', () => {
  const camera = fit(box, size, 1)
  expect(toSheet(pan(camera, 30, -60), 200, 150)).toEqual([3, 6])
})
