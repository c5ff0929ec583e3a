import { expect, test } from 'vitest'
import { distanceFor, eyeOf, home, keyed, turned, zoomed } from './camera'

test('the eye is at distance 1, in front and above at first', () => {
  const [x, y, z] = eyeOf(home)
  expect(Math.hypot(x, y, z)).toBeCloseTo(1)
  expect(y > 0 && z > 0).toBe(true)
})

test('it does not go over the top', () => {
  expect(turned(home, 0, 10).tilt).toBeLessThan(Math.PI / 2)
  expect(turned(home, 0, -10).tilt).toBeGreaterThan(-Math.PI / 2)
})

test('zoom has bounds', () => {
  expect(zoomed(home, 1e9).zoom).toBeLessThan(10)
  expect(zoomed(home, 1e-9).zoom).toBeGreaterThan(0.1)
})

test('keys turn, zoom and go back; others do nothing', () => {
  expect(keyed(home, 'ArrowLeft')?.turn).toBeLessThan(home.turn)
  expect(keyed(home, 'ArrowUp')?.tilt).toBeGreaterThan(home.tilt)
  expect(keyed(home, '+')?.zoom).toBeGreaterThan(1)
  expect(keyed(zoomed(home, 2), 'Home')).toEqual(home)
  expect(keyed(home, 'a')).toBeNull()
})

test('a narrow picture needs more distance, a wide one does not', () => {
  expect(distanceFor(1, 0.5, 0.5)).toBeGreaterThan(distanceFor(1, 0.5, 1))
  expect(distanceFor(1, 0.5, 2)).toBe(distanceFor(1, 0.5, 1))
})
