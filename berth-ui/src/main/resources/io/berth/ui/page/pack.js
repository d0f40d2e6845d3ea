// Text for an address: compressed, in letters that need no quoting.

const MOST = 256 * 1024;

/** @returns a promise of the text, packed */
export async function pack(text) {
  const bytes = await through(new Blob([text]), new CompressionStream('deflate-raw'), Infinity);
  let letters = '';
  for (const byte of bytes) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** @returns a promise of the text; fails where it is none, or one too long to be asked about */
export async function unpack(packed) {
  const letters = atob(packed.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
  return new TextDecoder('utf-8', {fatal: true}).decode(await through(new Blob([bytes]), new DecompressionStream('deflate-raw'), MOST));
}

async function through(blob, transform, most) {
  const reader = blob.stream().pipeThrough(transform).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) {
      break;
    }
    length += value.length;
    if (length > most) {
      reader.cancel();
      throw new Error('too long');
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
