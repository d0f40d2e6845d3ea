// What the server tells: calls with answers, and one stream of events that is opened again when it ends.

const KEY = 'berth-key';
const CHANGING = ['cpu', 'memory', 'pods', 'devices', 'state'];
const MOST_DECISIONS = 2000;
const SERIES_SECONDS = 120;
const LONGEST_PAUSE = 5000;
const HIDDEN_LIMIT = 30_000;

/** The key stands in the link that was printed; it is taken out of the address, so that nobody reads it over a shoulder. */
function key() {
  const given = /[#&?]key=([0-9a-f]+)/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(KEY, given[1]);
    history.replaceState(null, '', location.pathname + location.hash.replace(/[#&?]key=[0-9a-f]+/, m => (m[0] === '#' ? '#' : '')));
  }
  return sessionStorage.getItem(KEY) ?? '';
}

export class Feed extends EventTarget {
  constructor() {
    super();
    this.key = key();
    this.state = 'connecting';
    this.problem = '';
    this.summary = {title: '', nodes: 0, pods: 0, pending: 0, bound: 0};
    this.decisions = [];
    this.left = 0;
    this.map = null;
    this.loading = false;
    this.missed = [];
    this.series = {pending: [], bound: []};
    this.seq = 0;
    this.epoch = '';
    this.queueVersion = -1;
    this.boundBefore = -1;
    this.failures = 0;
    setInterval(() => this.#sample(), 1000);
    document.addEventListener('visibilitychange', () => this.#visibility());
    addEventListener('pagehide', () => this.controller?.abort());
    this.#run();
  }

  headers() {
    return this.key ? {'X-Berth-Key': this.key} : {};
  }

  /** Asks something; fails with the server's sentence. */
  async call(path, options = {}) {
    let reply;
    try {
      reply = await fetch(path, {...options, headers: {...this.headers(), ...options.headers}});
    } catch (gone) {
      if (gone.name === 'AbortError') {
        throw gone;
      }
      throw new Error('The server does not answer.');
    }
    if (!reply.ok) {
      const error = new Error(sentence(await reply.text()) || `The server answers ${reply.status}.`);
      error.status = reply.status;
      throw error;
    }
    return reply;
  }

  async json(path, options) {
    return (await this.call(path, options)).json();
  }

  /** A head in JSON, then columns of bytes. */
  async columns(path) {
    const buffer = await (await this.call(path)).arrayBuffer();
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    return {head, buffer, offset: 4 + length};
  }

  async #loadMap() {
    const {head, buffer, offset} = await this.columns('/berth/v1/map');
    const map = {...head};
    let at = offset;
    for (const [name, width] of Object.entries(head.columns)) {
      map[name] = width === 2 ? new Uint16Array(buffer, at, head.count) : new Uint8Array(buffer, at, head.count);
      at += width * head.count;
    }
    this.map = map;
    this.#tell('map', {all: true});
  }

  /** Has the map fetched, unless it is there or on its way. */
  async needMap() {
    if (!this.map && !this.loading) {
      await this.#reload();
    }
  }

  async #run() {
    for (;;) {
      if (document.hidden && this.parked) {
        await new Promise(resolve => (this.wake = resolve));
      }
      try {
        await this.#listen();
      } catch (broken) {
        this.problem = broken.status ? broken.message : '';
      }
      this.#state(this.failures > 0 || this.state === 'live' ? 'lost' : 'connecting');
      this.failures++;
      const pause = Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(this.failures, 5));
      await new Promise(resolve => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
    }
  }

  async #listen() {
    this.controller = new AbortController();
    const reply = await this.call(`/berth/v1/stream?since=${this.seq}&epoch=${this.epoch}`, {signal: this.controller.signal});
    this.failures = 0;
    this.problem = '';
    this.#state('live');
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {done, value} = await reader.read();
      if (done) {
        return;
      }
      rest += value;
      let end;
      while ((end = rest.indexOf('\n\n')) >= 0) {
        this.#event(rest.slice(0, end));
        rest = rest.slice(end + 2);
      }
    }
  }

  #event(text) {
    let name = 'message';
    let data = '';
    for (const line of text.split('\n')) {
      if (line.startsWith('event: ')) {
        name = line.slice(7);
      } else if (line.startsWith('data: ')) {
        data += line.slice(6);
      }
    }
    if (data) {
      this[`on_${name}`]?.(JSON.parse(data));
    }
  }

  on_summary(summary) {
    if (summary.epoch !== this.epoch) {
      // Another process: what the last one counted means nothing any more.
      this.epoch = summary.epoch;
      this.seq = 0;
      this.boundBefore = -1;
      this.decisions = [];
    }
    this.summary = summary;
    this.#tell('summary');
  }

  on_decisions({items, left}) {
    this.seq = items.at(-1).seq;
    this.left += left ?? 0;
    this.decisions = this.decisions.concat(items).slice(-MOST_DECISIONS);
    this.#tell('decisions');
  }

  on_queue({version}) {
    this.queueVersion = version;
    this.#tell('queue');
  }

  on_map(news) {
    if (this.loading) {
      this.missed.push(news);
    } else if (news.reload || this.map?.generation !== news.generation) {
      // Where it fails, the stream tells when the server is back.
      this.#reload().catch(() => {});
    } else {
      this.#change(news);
    }
  }

  /** What changes while the map is on its way comes after it, unless it is in it. */
  async #reload() {
    this.loading = true;
    this.missed = [];
    try {
      await this.#loadMap();
    } finally {
      this.loading = false;
    }
    const missed = this.missed.filter(news => !this.map || news.generation !== this.map.generation || news.version > this.map.version);
    this.missed = [];
    missed.forEach(news => this.on_map(news));
  }

  #change({version, c}) {
    const slots = [];
    for (let i = 0; i < c.length; i += 1 + CHANGING.length) {
      const slot = c[i];
      CHANGING.forEach((name, j) => (this.map[name][slot] = c[i + 1 + j]));
      slots.push(slot);
    }
    this.map.version = version;
    this.#tell('map', {slots});
  }

  #sample() {
    if (this.state !== 'live') {
      return;
    }
    const {pending, bound} = this.summary;
    const fresh = this.boundBefore < 0 ? 0 : Math.max(0, bound - this.boundBefore);
    this.boundBefore = bound;
    push(this.series.pending, pending);
    push(this.series.bound, fresh);
    this.#tell('series');
  }

  /** A tab that nobody sees takes no connection away from those that are seen. */
  #visibility() {
    clearTimeout(this.timer);
    if (document.hidden) {
      this.timer = setTimeout(() => {
        this.parked = true;
        this.controller?.abort();
      }, HIDDEN_LIMIT);
    } else {
      this.parked = false;
      this.failures = 0;
      this.wake?.();
    }
  }

  #state(state) {
    this.state = state;
    this.#tell('state');
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail}));
  }
}

/** What a refusal says: a line, or the message of a Status object. */
function sentence(text) {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text).message ?? text;
    } catch {
      // A line that begins so.
    }
  }
  return text.trim();
}

function push(list, value) {
  list.push(value);
  if (list.length > SERIES_SECONDS) {
    list.shift();
  }
}

export const feed = new Feed();
