// What nodes are filled with on the map, and what is written on them.

import {plural} from './words.js';

export const CORDONED = 1;
export const TAINTED = 2;
export const NOT_READY = 4;
export const UNKNOWN = 255;

const LIGHT_INK_FROM = 6;

/** The colours of an element. Tiles that look the same share one fill, with a frame of either sort or none. */
export function lookOf(element) {
  const style = getComputedStyle(element);
  const read = name => style.getPropertyValue(name).trim();
  const marks = ['', read('--mark-cordoned'), read('--bad-tile')];
  const inks = [read('--tile-ink-low'), read('--tile-ink-high')];
  const fills = (name, ink = 0) => marks.map(mark => ({colour: read(name), pixel: pixel(read(name)), ink: inks[ink], mark, markPixel: pixel(mark)}));
  return {
    ink: read('--ink'),
    faint: read('--faint'),
    font: read('--sans'),
    ramp: Array.from({length: 11}, (_, i) => fills(`--ramp-${i}`, i >= LIGHT_INK_FROM ? 1 : 0)),
    over: fills('--bad-tile', 1),
    unknown: fills('--tile-none'),
    good: fills('--good-tile'),
    one: fills('--warn-tile'),
    more: fills('--tile-more'),
  };
}

/** A colour as it stands in the memory of a picture. */
function pixel(colour) {
  const number = parseInt(colour.slice(1), 16);
  return ((255 << 24) | ((number & 255) << 16) | (number & 0xff00) | (number >> 16)) >>> 0;
}

/** By how much of something is requested. */
export function loadPaint(map, name, {names, of}, look) {
  const column = map[name];
  const sums = new Float64Array(names.length);
  const known = new Uint32Array(names.length);
  for (let slot = 0; slot < map.count; slot++) {
    if (column[slot] !== UNKNOWN) {
      sums[of[slot]] += column[slot];
      known[of[slot]]++;
    }
  }
  const fills = percent => (percent === UNKNOWN ? look.unknown : percent > 100 ? look.over : look.ramp[Math.round(percent / 10)]);
  const byPercent = Array.from({length: 256}, (_, percent) => fills(percent));
  const byState = Array.from({length: 8}, (_, state) => (state & NOT_READY ? 2 : state & CORDONED ? 1 : 0));
  return {
    fill: slot => byPercent[column[slot]][byState[map.state[slot]]],
    words: slot => (column[slot] === UNKNOWN ? '' : `${column[slot]} %`),
    label: ({count, group}) => plural(count, 'node') + (known[group] ? ` · ${Math.round(sums[group] / known[group])} %` : ''),
  };
}

/** By what each node is to a pod. */
export function verdictPaint(map, verdicts, look) {
  const isKnown = verdicts?.generation === map.generation;
  const byVerdict = isKnown ? [look.good, ...verdicts.groups.map(group => (group.reasons === 1 ? look.one : look.more))] : [];
  return {
    fill: slot => (isKnown ? byVerdict[verdicts.column[slot]] ?? look.unknown : look.unknown)[0],
    words: () => '',
    label: ({count}) => plural(count, 'node'),
  };
}
