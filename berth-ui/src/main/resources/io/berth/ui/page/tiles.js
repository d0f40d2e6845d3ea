// Draws one tile per node on a canvas, in groups. Only tiles that changed are drawn again.
//
// Many tiles are written as pixels and shown at once: a hundred thousand calls to the canvas take longer than all else together.

const GAP_FROM = 6;
const LABEL = 20;
const GROUP_GAP = 12;
const WORDS_FROM = 72;
const PIXELS_BELOW = 14;
const SIZES = [112, 88, 72, 56, 44, 34, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3];

export class Tiles {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.slots = new Uint32Array(0);
    this.x = new Float32Array(0);
    this.y = new Float32Array(0);
    this.size = 20;
  }

  /** Deals places to all nodes: groups below each other, tiles from left to right. */
  layout(count, groupOf, names, width, height, largest = SIZES[0]) {
    const sizes = new Array(names.length).fill(0);
    for (let slot = 0; slot < count; slot++) {
      sizes[groupOf[slot]]++;
    }
    const order = names.map((_, i) => i).sort((a, b) => names[a].localeCompare(names[b], 'en', {numeric: true}));
    this.size = SIZES.find(size => size <= largest && needed(sizes, size, width) <= height) ?? SIZES.at(-1);
    const step = this.size;
    const columns = Math.max(1, Math.floor(width / step));
    const nextOf = new Uint32Array(names.length);
    const topOf = new Float32Array(names.length);
    this.labels = [];
    let top = 0;
    for (const group of order) {
      if (sizes[group] === 0) {
        continue;
      }
      this.labels.push({text: names[group], count: sizes[group], y: top, group});
      topOf[group] = top + LABEL;
      top += LABEL + Math.ceil(sizes[group] / columns) * step + GROUP_GAP;
    }
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    for (let slot = 0; slot < count; slot++) {
      const group = groupOf[slot];
      const i = nextOf[group]++;
      this.x[slot] = (i % columns) * step;
      this.y[slot] = topOf[group] + Math.floor(i / columns) * step;
    }
    this.columns = columns;
    this.width = width;
    this.height = Math.max(40, Math.ceil(top));
    const scale = devicePixelRatio || 1;
    this.scale = scale;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.height = `${this.height}px`;
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  /** @param paint what a slot is filled with, what is written on it, and what is said of a group */
  draw(count, paint, look) {
    const {context} = this;
    if (this.size < PIXELS_BELOW) {
      this.#pixels(count, paint);
    } else {
      context.clearRect(0, 0, this.width, this.height);
      for (let slot = 0; slot < count; slot++) {
        this.tile(slot, paint, look);
      }
    }
    this.write(paint, look);
  }

  /** Writes what is said of the groups, again where it was written before. */
  write(paint, look) {
    const {context} = this;
    context.textBaseline = 'middle';
    for (const label of this.labels) {
      context.clearRect(0, label.y, this.width, LABEL);
      context.font = `600 12px ${look.font}`;
      context.fillStyle = look.ink;
      context.fillText(label.text, 0, label.y + LABEL / 2);
      const wide = context.measureText(label.text).width;
      context.font = `12px ${look.font}`;
      context.fillStyle = look.faint;
      context.fillText(paint.label(label), wide + 10, label.y + LABEL / 2);
    }
  }

  /** Whether tiles are large enough to be written on. */
  get hasWords() {
    return this.size >= WORDS_FROM;
  }

  get #inner() {
    return this.size >= GAP_FROM ? this.size - 2 : this.size - 1;
  }

  #pixels(count, paint) {
    const {width, height} = this.canvas;
    const {scale} = this;
    const image = this.context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const side = Math.max(1, Math.round(this.#inner * scale));
    const rim = this.size >= GAP_FROM ? Math.round(scale) : 0;
    for (let slot = 0; slot < count; slot++) {
      const fill = paint.fill(slot);
      const corner = Math.round(this.y[slot] * scale) * width + Math.round(this.x[slot] * scale);
      block(pixels, corner, side, width, rim && fill.mark ? fill.markPixel : fill.pixel);
      if (rim && fill.mark) {
        block(pixels, corner + rim * (width + 1), side - 2 * rim, width, fill.pixel);
      }
    }
    this.context.putImageData(image, 0, 0);
  }

  tile(slot, paint, look) {
    const {context, size} = this;
    const fill = paint.fill(slot);
    const words = this.hasWords ? paint.words(slot) : '';
    const inner = this.#inner;
    context.clearRect(this.x[slot], this.y[slot], size, size);
    context.fillStyle = fill.colour;
    context.fillRect(this.x[slot], this.y[slot], inner, inner);
    if (words) {
      context.fillStyle = fill.ink;
      context.font = `600 ${size >= 100 ? 20 : 16}px ${look.font}`;
      context.textBaseline = 'alphabetic';
      context.fillText(words, this.x[slot] + 10, this.y[slot] + inner - 12);
    }
    if (fill.mark && size >= GAP_FROM) {
      this.#frame(slot, inner, size >= PIXELS_BELOW ? 2 : 1, fill.mark);
    }
  }

  /** Shows which one is meant. */
  ring(slot, look) {
    this.#frame(slot, this.#inner, 2, look.ink);
  }

  #frame(slot, inner, width, colour) {
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.strokeRect(this.x[slot] + width / 2, this.y[slot] + width / 2, Math.max(1, inner - width), Math.max(1, inner - width));
  }

  at(x, y) {
    // Groups lie below each other, and slots grow within each: a look at all is a hundredth of a frame.
    for (let slot = 0; slot < this.x.length; slot++) {
      const dx = x - this.x[slot];
      const dy = y - this.y[slot];
      if (dx >= 0 && dy >= 0 && dx < this.size && dy < this.size) {
        return slot;
      }
    }
    return -1;
  }

  /** The node next to one in a direction. */
  next(slot, dx, dy) {
    if (slot < 0) {
      return this.x.length ? 0 : -1;
    }
    if (dx) {
      const target = this.at(this.x[slot] + dx * this.size + 1, this.y[slot] + 1);
      return target < 0 ? slot : target;
    }
    const x = this.x[slot];
    const y = this.y[slot];
    let best = slot;
    let distance = Infinity;
    for (let other = 0; other < this.x.length; other++) {
      const down = (this.y[other] - y) * dy;
      const away = down * 1000 + Math.abs(this.x[other] - x);
      if (down > 0 && away < distance) {
        distance = away;
        best = other;
      }
    }
    return best;
  }
}

/** A square of one colour. */
function block(pixels, corner, side, width, pixel) {
  for (let from = corner, last = corner + side * width; from < last; from += width) {
    pixels.fill(pixel, from, from + side);
  }
}

function needed(sizes, size, width) {
  const columns = Math.max(1, Math.floor(width / size));
  return sizes.reduce((sum, count) => sum + (count ? LABEL + Math.ceil(count / columns) * size + GROUP_GAP : 0), 0);
}
