// How numbers, times and names are written.

const WHOLE = new Intl.NumberFormat('en-US');

/** Decisions, in a word, and how they are coloured. */
export const KINDS = {bound: 'placed', unplaced: 'no place', preempted: 'gives way'};
export const TONES = {bound: 'good', unplaced: 'warn', preempted: 'bad'};

export const count = number => WHOLE.format(number ?? 0);

export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`;

/** How long ago, in one or two units. */
export function ago(time, now = Date.now()) {
  if (!time) {
    return '';
  }
  return span(Math.max(0, now - Date.parse(time)));
}

export function span(millis) {
  const seconds = Math.floor(millis / 1000);
  if (seconds < 60) {
    return `${seconds}s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h${String(minutes % 60).padStart(2, '0')}m` : `${Math.floor(hours / 24)}d`;
}

export const clock = time => new Date(time).toLocaleTimeString('en-GB');

export function cpu(millis) {
  return millis % 1000 === 0 ? String(millis / 1000) : (millis / 1000).toFixed(millis < 10000 ? 2 : 1);
}

export function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = number;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A category as words: `WaitingForRoom` is read more easily in three. */
export const spaced = word => word.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

/** How grave a category is: told by the chip's colour, besides its words. */
export function gravity(category) {
  switch (category) {
    case 'Placed':
      return 'good';
    case 'Impossible':
    case 'Error':
      return 'bad';
    case 'NoSuitableNode':
    case 'WaitingForRoom':
      return 'warn';
    default:
      return 'calm';
  }
}

export const podLink = key => `#/pod/${key.split('/').map(encodeURIComponent).join('/')}`;

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('aria-hidden', 'true');
    area.className = 'offscreen';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
