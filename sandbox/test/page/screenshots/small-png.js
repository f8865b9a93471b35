import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_COLORS = 256
/** The last bits of each channel: colors that differ in these alone are taken for the same. */
const DROPPED_BITS = 3

/**
 * The same picture with at most 256 colors, which takes a third of the space. Pictures of pages have few colors besides
 * the edges of letters.
 *
 * @param {Buffer} png as Chromium writes it: 8 bits for each of red, green, blue and perhaps alpha, not interlaced
 * @returns {Buffer}
 */
export function smallPng(png) {
  const { width, height, pixels } = decode(png)
  const palette = paletteOf(pixels)
  /** @type {Map<number, number>} */
  const nearest = new Map()
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    // The first byte of a row is its filter: none.
    for (let x = 0; x < width; x++) {
      const color = /** @type {number} */ (pixels[y * width + x])
      let index = nearest.get(color)
      if (index === undefined) {
        index = nearestIn(palette, color)
        nearest.set(color, index)
      }
      rows[y * (width + 1) + 1 + x] = index
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => channelsOf(color)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * @param {Buffer} png
 * @returns {{ width: number, height: number, pixels: Uint32Array }} each pixel as 0xRRGGBB
 */
function decode(png) {
  let width = 0
  let height = 0
  let size = 0
  const parts = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = data.readUInt32BE(0)
      height = data.readUInt32BE(4)
      size = data[9] === 6 ? 4 : 3
    }
    if (type === 'IDAT') parts.push(data)
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const pixels = new Uint32Array(width * height)
  const stride = width * size
  /** @type {Uint8Array} */
  let previous = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = unfilter(
      /** @type {number} */ (raw[start]),
      raw.subarray(start + 1, start + 1 + stride),
      previous,
      size,
    )
    for (let x = 0; x < width; x++) {
      const [red = 0, green = 0, blue = 0] = row.subarray(x * size, x * size + 3)
      pixels[y * width + x] = (red << 16) | (green << 8) | blue
    }
    previous = row
  }
  return { width, height, pixels }
}

/**
 * @param {number} filter
 * @param {Uint8Array} filtered
 * @param {Uint8Array} above
 * @param {number} size of a pixel
 * @returns {Uint8Array}
 */
function unfilter(filter, filtered, above, size) {
  const row = new Uint8Array(filtered.length)
  for (const [i, value] of filtered.entries()) {
    const left = row[i - size] ?? 0
    const up = above[i] ?? 0
    const corner = i < size ? 0 : (above[i - size] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
    row[i] = value + guess
  }
  return row
}

/**
 * @param {number} left
 * @param {number} up
 * @param {number} corner
 */
function paeth(left, up, corner) {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/**
 * The colors that most pixels have. Of colors that are nearly the same, the most frequent one.
 *
 * @param {Uint32Array} pixels
 * @returns {number[]}
 */
function paletteOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const seen = new Set()
  const palette = []
  for (const [color] of [...counts].sort((a, b) => b[1] - a[1])) {
    const rough = channelsOf(color)
      .map((value) => value >> DROPPED_BITS)
      .join()
    // The grounds of a page differ little, and must stay apart.
    if (palette.length >= MAX_COLORS / 4 && seen.has(rough)) continue
    seen.add(rough)
    palette.push(color)
    if (palette.length === MAX_COLORS) break
  }
  return palette
}

/**
 * @param {readonly number[]} palette
 * @param {number} color
 * @returns {number} the index
 */
function nearestIn(palette, color) {
  const wanted = channelsOf(color)
  let best = 0
  let bestDistance = Infinity
  for (const [index, one] of palette.entries()) {
    const distance = channelsOf(one).reduce((sum, value, i) => sum + (value - (wanted[i] ?? 0)) ** 2, 0)
    if (distance < bestDistance) [best, bestDistance] = [index, distance]
  }
  return best
}

/**
 * @param {number} color
 * @returns {number[]}
 */
function channelsOf(color) {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff]
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
