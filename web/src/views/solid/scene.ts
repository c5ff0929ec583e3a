/**
 * The stage: a solid drawn by WebGL. Only this file imports three.js.
 *
 * It draws only when something has changed. Pieces of one shape share a mesh.
 *
 *        key light ╲   sky
 *                   ╲ ┌────┐
 *       eye ───────── │    │   light from the eye, too, so that no side is black
 *                     └────┘
 *                  ▒▒▒▒▒▒▒▒▒▒▒ shadow on the ground
 */
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, HemisphereLight, InstancedMesh, LineBasicMaterial, LineSegments,
  Matrix4, Mesh, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Raycaster, Scene, ShadowMaterial, Vector2,
  WebGLRenderer,
} from 'three'
import type { Cell } from '../../model/lattice'
import type { Part, Shown } from './arrange'
import { distanceFor, eyeOf, home, type Camera } from './camera'
import { edgesOf, pointOf, surfaceOf, type Point } from './mesh'

export interface Stage {
  show(shown: Shown): void
  look(camera: Camera): void
  resize(width: number, height: number, ratio: number): void
  /** The index of the part at a point of the canvas, from 0 to 1; null if there is none. */
  pick(x: number, y: number): number | null
  picture(): Promise<Blob | null>
  free(): void
}

const ANGLE = (24 * Math.PI) / 180
const DROP_MS = 320
/** Limits the brightness. At outlines, WebGL extrapolates the brightness to points outside a triangle, where it could be far too low. */
const BOUNDED = 'diffuseColor.rgb *= clamp(vColor.rgb, 0.16, 1.0);'
/** The number of cells above which surfaces have sharp edges. */
const MANY = 1500

interface World {
  readonly scene: Scene
  readonly camera: PerspectiveCamera
  readonly key: DirectionalLight
  readonly fill: DirectionalLight
  readonly sky: HemisphereLight
  readonly floor: Mesh<PlaneGeometry, ShadowMaterial>
  readonly things: Group
}

/** Creates a stage on a canvas. Throws an Error if there is no WebGL. */
export function stage(canvas: HTMLCanvasElement, still: () => boolean): Stage {
  const context = canvas.getContext('webgl2', { antialias: true, alpha: true, powerPreference: 'low-power' })
  if (!context) throw new Error('There is no WebGL.')
  const renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true })
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  const world = build()
  const store = shelves()
  let camera = home
  let shown: Shown | null = null
  let frame = 0
  let since = 0

  const draw = () => {
    frame = 0
    if (!shown) return
    const part = since ? Math.min(1, (performance.now() - since) / DROP_MS) : 1
    sink(world.things, part, shown.radius)
    if (part < 1) ask()
    else since = 0
    aim(world, shown, camera)
    renderer.render(world.scene, world.camera)
  }
  const ask = () => { frame ||= requestAnimationFrame(draw) }
  canvas.addEventListener('webglcontextrestored', ask)

  return {
    show(next) {
      shown = next
      fill(world, store, next)
      since = !still() && next.parts.some((p) => p.dropping) ? performance.now() : 0
      ask()
    },
    look(next) { camera = next; ask() },
    resize(width, height, ratio) {
      renderer.setPixelRatio(ratio)
      renderer.setSize(width, height, false)
      world.camera.aspect = width / height
      ask()
    },
    pick: (x, y) => pick(world, x, y),
    picture() {
      draw()
      return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
    },
    free() {
      cancelAnimationFrame(frame)
      canvas.removeEventListener('webglcontextrestored', ask)
      store.free()
      world.floor.geometry.dispose()
      world.floor.material.dispose()
      world.key.dispose()
      renderer.dispose()
      renderer.forceContextLoss()
    },
  }
}

function build(): World {
  const scene = new Scene()
  const camera = new PerspectiveCamera((ANGLE * 180) / Math.PI, 1, 0.1, 1000)
  const sky = new HemisphereLight()
  const key = new DirectionalLight()
  key.castShadow = true
  key.shadow.mapSize.set(1024, 1024)
  key.shadow.radius = 5
  const fill = new DirectionalLight()
  const floor = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial())
  floor.rotation.x = -Math.PI / 2
  floor.receiveShadow = true
  const things = new Group()
  scene.add(sky, key, key.target, fill, fill.target, floor, things)
  return { scene, camera, key, fill, sky, floor, things }
}

/** A cache of meshes and materials. free disposes of all of them. */
function shelves() {
  const meshes = new Map<string, BufferGeometry>()
  const paints = new Map<string, MeshStandardMaterial>()
  const lines = new LineBasicMaterial({ transparent: true })
  const cubes = new MeshStandardMaterial({ roughness: 0.62, vertexColors: true })
  const instanced: InstancedMesh[] = []
  return {
    lines,
    instanced,
    mesh: (key: string, make: () => BufferGeometry) => once(meshes, key, make),
    cubes,
    paint: (colour: string, lit: boolean) => once(paints, `${colour} ${lit}`, () => paintOf(colour, lit)),
    free() {
      for (const thing of [...meshes.values(), ...paints.values(), lines, cubes, ...instanced]) thing.dispose()
    },
  }
}
type Shelves = ReturnType<typeof shelves>

function once<Value>(all: Map<string, Value>, key: string, make: () => Value): Value {
  const known = all.get(key)
  if (known) return known
  const made = make()
  all.set(key, made)
  return made
}

function paintOf(colour: string, lit: boolean): MeshStandardMaterial {
  const paint = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.62, metalness: 0, vertexColors: true })
  paint.onBeforeCompile = (shader) => { shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>', BOUNDED) }
  if (lit) paint.emissive.set(colour).lerp(new Color('#ffffff'), 0.4).multiplyScalar(0.32)
  return paint
}

/** The surface of cells relative to their first cell, so that pieces of one shape share it. */
function meshOf(store: Shelves, cells: readonly Cell[]): { mesh: BufferGeometry; at: Point } {
  const [layer, row, column] = cells[0] ?? [0, 0, 0]
  const shape = cells.map((c): Cell => [c[0] - layer, c[1] - row, c[2] - column])
  return { mesh: store.mesh(shape.join(' '), () => geometry(shape)), at: [column, layer, row] }
}

function geometry(cells: readonly Cell[]): BufferGeometry {
  const surface = surfaceOf(cells, { gap: 0.012, round: cells.length > MANY ? 0 : 0.055 })
  const colours = new Float32Array(surface.shades.length * 3)
  surface.shades.forEach((shade, n) => colours.fill(shade, 3 * n, 3 * n + 3))
  const made = new BufferGeometry()
  made.setAttribute('position', new BufferAttribute(surface.positions, 3))
  made.setAttribute('normal', new BufferAttribute(surface.normals, 3))
  made.setAttribute('color', new BufferAttribute(colours, 3))
  made.setIndex(new BufferAttribute(surface.indices, 1))
  return made
}

/** Builds the scene. */
function fill(world: World, store: Shelves, shown: Shown): void {
  world.things.clear()
  for (const cubes of store.instanced.splice(0)) cubes.dispose()
  for (const part of shown.parts) world.things.add(meshOfPart(store, part))
  if (shown.cubes.length > 0) world.things.add(cubesOf(store, shown.cubes))
  if (shown.ghost.length > 0) world.things.add(ghostOf(store, shown))
  world.sky.color.set(shown.dark ? '#dfe6ff' : '#ffffff')
  world.sky.groundColor.set(shown.dark ? '#4a4640' : '#b9b2a6')
  world.sky.intensity = shown.dark ? 1.35 : 1.75
  world.key.intensity = 1.5
  world.fill.intensity = shown.dark ? 0.9 : 0.75
  world.floor.material.opacity = shown.dark ? 0.55 : 0.22
}

function meshOfPart(store: Shelves, part: Part): Mesh {
  const { mesh, at } = meshOf(store, part.cells)
  const thing = new Mesh(mesh, store.paint(part.colour, part.lit))
  thing.position.set(at[0] + part.offset[0], at[1] + part.offset[1], at[2] + part.offset[2])
  thing.castShadow = thing.receiveShadow = true
  thing.userData = { index: part.index, height: thing.position.y, dropping: part.dropping }
  return thing
}

function cubesOf(store: Shelves, cubes: Shown['cubes']): InstancedMesh {
  const mesh = store.mesh('cube', () => geometry([[0, 0, 0]]))
  const all = new InstancedMesh(mesh, store.cubes, cubes.length)
  cubes.forEach(({ cell, colour, size }, n) => {
    const [x, y, z] = pointOf(cell)
    const free = (1 - size) / 2
    all.setMatrixAt(n, new Matrix4().makeScale(size, size, size).setPosition(x + free, y + free, z + free))
    all.setColorAt(n, new Color(colour))
  })
  all.castShadow = all.receiveShadow = true
  store.instanced.push(all)
  return all
}

function ghostOf(store: Shelves, { ghost, dark }: Shown): LineSegments {
  const mesh = store.mesh(`ghost ${ghost.join(' ')}`, () => {
    const made = new BufferGeometry()
    made.setAttribute('position', new BufferAttribute(edgesOf(ghost), 3))
    return made
  })
  store.lines.color.set(dark ? '#ffffff' : '#000000')
  store.lines.opacity = dark ? 0.4 : 0.32
  return new LineSegments(mesh, store.lines)
}

/** Moves the parts that were just added on their way down. part is the fraction of the way, from 0 to 1. */
function sink(things: Group, part: number, radius: number): void {
  const above = radius * 0.9 * (1 - part) ** 3
  for (const { userData, position } of things.children) {
    if (userData.dropping) position.y = userData.height + above
  }
}

/** Adjusts camera, lights and ground to the scene. */
function aim({ camera, key, fill, floor }: World, { middle, radius, ground }: Shown, from: Camera): void {
  const eye = eyeOf(from)
  const far = distanceFor(radius, ANGLE, camera.aspect) / from.zoom
  camera.position.set(middle[0] + eye[0] * far, middle[1] + eye[1] * far, middle[2] + eye[2] * far)
  camera.near = Math.max(0.05, far - radius * 4)
  camera.far = far + radius * 6
  camera.lookAt(...middle)
  camera.updateProjectionMatrix()
  fill.position.copy(camera.position)
  fill.target.position.set(...middle)
  key.position.set(middle[0] + radius * 0.9, middle[1] + radius * 2.6, middle[2] + radius * 1.2)
  key.target.position.set(...middle)
  const lens = key.shadow.camera
  lens.left = lens.bottom = -radius * 1.5
  lens.right = lens.top = radius * 1.5
  lens.near = 0.1
  lens.far = radius * 6
  lens.updateProjectionMatrix()
  key.shadow.normalBias = radius * 0.004
  floor.position.set(middle[0], ground, middle[2])
  floor.scale.setScalar(radius * 12)
}

function pick({ camera, things }: World, x: number, y: number): number | null {
  const ray = new Raycaster()
  ray.setFromCamera(new Vector2(x * 2 - 1, 1 - y * 2), camera)
  const hit = ray.intersectObjects(things.children, false).find(({ object }) => typeof object.userData.index === 'number')
  return hit ? (hit.object.userData.index as number) : null
}
