// All nodes as tiles: how full they are, or what they are to one pod.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {Tiles} from './tiles.js';
import {bytes, count, cpu, plural, podLink} from './words.js';

const CORDONED = 1;
const TAINTED = 2;
const NOT_READY = 4;
const LEFT_OUT = 255;
const UNKNOWN = 255;
const COLOURS = ['cpu', 'memory', 'pods', 'verdict'];
const HOVER = 70;
const SMALL_HEIGHT = 300;
const SMALL_TILE = 44;
const LIGHT_INK_FROM = 6;

class NodeMap extends LitElement {
  static properties = {pod: {}, small: {type: Boolean}, colour: {state: true}, group: {state: true}, verdicts: {state: true}, problem: {state: true}, card: {state: true}, tick: {state: true}};

  constructor() {
    super();
    this.pod = '';
    this.small = false;
    this.colour = 'cpu';
    this.group = 'zone';
    this.verdicts = null;
    this.problem = '';
    this.card = null;
    this.nodeSlot = -1;
    this.tick = 0;
    this.changed = event => this.#changed(event.detail);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.themed = () => this.#relook();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    feed.addEventListener('map', this.changed);
    this.scheme.addEventListener('change', this.themed);
    this.refresh = setInterval(() => this.colour === 'verdict' && this.pod && this.#judge(), 5000);
    if (!feed.map) {
      feed.loadMap().catch(failed => (this.problem = failed.message));
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    feed.removeEventListener('map', this.changed);
    this.scheme.removeEventListener('change', this.themed);
    clearInterval(this.refresh);
    clearTimeout(this.timer);
    this.sizes?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  willUpdate(changed) {
    if (changed.has('pod') && (this.pod || changed.get('pod'))) {
      this.verdicts = null;
      this.colour = this.pod ? 'verdict' : 'cpu';
      if (this.pod) {
        this.#judge();
      }
    }
  }

  firstUpdated() {
    this.canvas = this.querySelector('canvas');
    this.tiles = new Tiles(this.canvas);
    this.sizes = new ResizeObserver(() => this.#later(true));
    this.sizes.observe(this.canvas.parentElement);
    this.#relook();
  }

  updated(changed) {
    if (changed.has('colour') || changed.has('group') || changed.has('verdicts')) {
      this.#later(changed.has('group'));
    }
  }

  #relook() {
    const style = getComputedStyle(this);
    const read = name => style.getPropertyValue(name).trim();
    this.look = {
      ink: read('--ink'),
      faint: read('--faint'),
      font: read('--sans'),
      ramp: Array.from({length: 11}, (_, i) => read(`--ramp-${i}`)),
      over: read('--bad-tile'),
      unknown: read('--tile-none'),
      good: read('--good-tile'),
      one: read('--warn-tile'),
      more: read('--tile-more'),
      cordoned: read('--mark-cordoned'),
      bad: read('--bad-tile'),
      tileInk: [read('--tile-ink-low'), read('--tile-ink-high')],
    };
    this.#later(true);
  }

  #changed(detail) {
    this.problem = '';
    if (detail.all) {
      this.tick++;
      if (this.pod) {
        this.#judge();
      }
      this.#later(true);
    } else if (this.colour !== 'verdict') {
      this.dirty ??= new Set();
      for (const slot of detail.slots) {
        this.dirty.add(slot);
      }
      this.#later(false, true);
    }
    if (detail.slots?.includes(this.nodeSlot)) {
      this.#describe(this.nodeSlot);
    }
  }

  #later(anew, dirtyOnly = false) {
    this.anew = this.anew || anew;
    this.whole = this.whole || !dirtyOnly;
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.#draw();
      });
    }
  }

  #draw() {
    const map = feed.map;
    if (!map || !this.tiles || !this.look) {
      return;
    }
    const begin = performance.now();
    const colour = slot => this.#fill(map, slot);
    if (this.anew) {
      const names = (this.group === 'zone' ? map.zones : map.pools).map(name => name || (this.group === 'zone' ? 'no zone' : 'no pool'));
      const box = this.canvas.parentElement;
      const height = this.small ? SMALL_HEIGHT : Math.max(240, innerHeight - box.getBoundingClientRect().top - scrollY - 60);
      this.tiles.layout(map.count, this.group === 'zone' ? map.zone : map.pool, names, Math.floor(box.clientWidth), height, this.small ? SMALL_TILE : undefined);
    }
    if (this.anew || this.whole) {
      this.tiles.draw(map.count, colour, this.look);
    } else {
      for (const slot of this.dirty ?? []) {
        this.tiles.tile(slot, colour(slot), this.look);
      }
    }
    this.dirty = null;
    this.anew = false;
    this.whole = false;
    // For those who measure.
    this.canvas.dataset.drawn = map.count;
    this.canvas.dataset.millis = (performance.now() - begin).toFixed(1);
    this.canvas.dataset.at = performance.now().toFixed(1);
    this.canvas.dataset.version = String(Number(this.canvas.dataset.version ?? 0) + 1);
  }

  #fill(map, slot) {
    const {look} = this;
    const state = map.state[slot];
    const fill = {colour: look.unknown, mark: '', ring: slot === this.nodeSlot};
    if (this.colour === 'verdict') {
      const verdict = this.verdicts?.generation === map.generation ? this.verdicts.column[slot] : LEFT_OUT;
      if (verdict !== LEFT_OUT) {
        fill.colour = verdict === 0 ? look.good : this.verdicts.groups[verdict - 1].reasons === 1 ? look.one : look.more;
      }
      return fill;
    }
    const percent = map[this.colour][slot];
    if (percent !== UNKNOWN) {
      const step = Math.round(percent / 10);
      fill.colour = percent > 100 ? look.over : look.ramp[step];
      fill.words = this.tiles.hasWords ? `${percent} %` : '';
      fill.ink = look.tileInk[step >= LIGHT_INK_FROM ? 1 : 0];
    }
    if (state & NOT_READY) {
      fill.mark = look.bad;
    } else if (state & CORDONED) {
      fill.mark = look.cordoned;
    }
    return fill;
  }

  async #judge() {
    const pod = this.pod;
    try {
      const {head, buffer, offset} = await feed.columns(`/berth/v1/map/verdicts?pod=${encodeURIComponent(pod)}`);
      if (pod === this.pod) {
        this.verdicts = {...head, column: new Uint8Array(buffer, offset, head.count)};
        this.problem = '';
      }
    } catch (failed) {
      if (pod === this.pod) {
        this.verdicts = null;
        this.problem = failed.status === 404 ? `There is no pod ${pod}.` : failed.message;
      }
    }
  }

  #choose(colour) {
    this.colour = colour;
    if (colour === 'verdict' && !this.pod) {
      const first = feed.causes?.[0]?.examples[0] ?? feed.decisions.findLast(one => one.kind === 'unplaced')?.pod;
      if (first) {
        location.hash = `#/map?pod=${encodeURIComponent(first)}`;
      }
    }
  }

  #hover(event) {
    const box = this.canvas.getBoundingClientRect();
    this.#select(this.tiles.at(event.clientX - box.left, event.clientY - box.top));
  }

  #select(slot) {
    if (slot === this.nodeSlot) {
      return;
    }
    const old = this.nodeSlot;
    this.nodeSlot = slot;
    for (const one of [old, slot]) {
      if (one >= 0 && one < (feed.map?.count ?? 0)) {
        this.tiles.tile(one, this.#fill(feed.map, one), this.look);
      }
    }
    clearTimeout(this.timer);
    if (slot < 0) {
      this.card = null;
    } else {
      this.timer = setTimeout(() => this.#describe(slot), HOVER);
    }
  }

  async #describe(slot) {
    try {
      const node = await feed.json(`/berth/v1/map/node?slot=${slot}`);
      if (slot === this.nodeSlot) {
        this.card = {...node, slot};
      }
    } catch {
      // It has gone; the map will tell.
    }
  }

  #key(event) {
    const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (move) {
      event.preventDefault();
      this.#select(this.tiles.next(this.nodeSlot, ...move));
    } else if (event.key === 'Escape') {
      this.#select(-1);
    }
  }

  render() {
    const map = feed.map;
    if (this.small) {
      return html`<div class="small"><h2>Nodes by cpu requested <a href="#/map">open the map</a></h2>${this.#picture(map)}</div>`;
    }
    return html`
      <div class="headline"><h1>${map ? plural(map.count, 'node') : 'Map'}</h1></div>
      <div class="tools">
        <fieldset class="choice"><legend>Colour</legend>
          ${COLOURS.map(name => html`<label><input type="radio" name="colour" value=${name} .checked=${this.colour === name} @change=${() => this.#choose(name)}><span>${name}</span></label>`)}
        </fieldset>
        <fieldset class="choice"><legend>Group</legend>
          ${['zone', 'pool'].map(name => html`<label><input type="radio" name="group" value=${name} .checked=${this.group === name} @change=${() => (this.group = name)}><span>${name}</span></label>`)}
        </fieldset>
        ${this.colour === 'verdict' ? html`<label>for pod <input class="wide" type="text" list="names" placeholder="namespace/pod" .value=${this.pod} @change=${event => (location.hash = `#/map?pod=${encodeURIComponent(event.target.value.trim())}`)}></label>` : nothing}
      </div>
      ${this.problem ? html`<p class="trouble" role="alert">${this.problem}</p>` : nothing}
      ${this.#legend(map)}
      ${this.#picture(map)}`;
  }

  #picture(map) {
    return html`
      <div class="canvas"><canvas tabindex="0" role="img" aria-label=${this.#summary(map)}
        @pointermove=${this.#hover} @pointerdown=${this.#hover} @pointerleave=${event => event.pointerType === 'mouse' && this.#select(-1)} @keydown=${this.#key}></canvas></div>
      <aside class="card ${this.card ? '' : 'none'}" aria-live="polite">${this.card ? this.#card(this.card) : nothing}</aside>`;
  }

  #summary(map) {
    if (!map) {
      return 'Map of all nodes';
    }
    if (this.colour === 'verdict') {
      return this.verdicts ? `Map: ${plural(this.verdicts.feasible, 'node')} of ${count(map.count)} can take ${this.verdicts.pod}` : 'Map of what the nodes are to a pod';
    }
    let sum = 0;
    for (const value of map[this.colour]) {
      sum += value === UNKNOWN ? 0 : value;
    }
    return `Map of ${plural(map.count, 'node')}, ${this.colour} requested: ${Math.round(sum / Math.max(1, map.count))} % on average. Arrow keys go from node to node.`;
  }

  #legend(map) {
    if (this.colour === 'verdict') {
      const verdicts = this.verdicts;
      if (!verdicts) {
        return html`<p class="legend">${this.pod ? 'Judging …' : 'Name a pod to see what each node is to it.'}</p>`;
      }
      return html`<div class="legend">
        <span><i class="swatch good"></i><span>${plural(verdicts.feasible, 'node')} can take <a href=${podLink(verdicts.pod)}>${verdicts.pod}</a></span></span>
        ${[...verdicts.groups].sort((a, b) => a.reasons - b.reasons || b.count - a.count).slice(0, 6).map(group => html`<span><i class="swatch ${group.reasons === 1 ? 'one' : 'more'}"></i><span><b>${count(group.count)}</b> ${group.example}</span></span>`)}
      </div>`;
    }
    let cordoned = 0;
    let tainted = 0;
    let lost = 0;
    for (const state of map?.state ?? []) {
      cordoned += state & CORDONED ? 1 : 0;
      tainted += state & TAINTED ? 1 : 0;
      lost += state & NOT_READY ? 1 : 0;
    }
    return html`<div class="legend">
      <span class="ramp" aria-hidden="true">${Array.from({length: 11}, (_, i) => html`<i class="swatch ramp-${i}"></i>`)}</span><span>0 – 100 % of ${this.colour} requested</span>
      ${cordoned ? html`<span><i class="swatch cordoned"></i>${count(cordoned)} cordoned</span>` : nothing}
      ${lost ? html`<span><i class="swatch lost"></i>${count(lost)} not ready</span>` : nothing}
      ${tainted ? html`<span>${count(tainted)} tainted</span>` : nothing}
    </div>`;
  }

  #card(card) {
    const verdict = this.colour === 'verdict' && this.verdicts ? this.verdicts.column[card.slot] : LEFT_OUT;
    return html`
      <h2>${card.name}</h2>
      <p class="where">${[card.zone, card.pool, card.cordoned && 'cordoned'].filter(Boolean).join(' · ')}</p>
      ${verdict === LEFT_OUT ? nothing : html`<p class="verdict">${verdict === 0 ? 'can take the pod' : this.verdicts.groups[verdict - 1].filters}</p>`}
      ${use('cpu', card.cpu, cpu)}${use('memory', card.memory, bytes)}${use('pods', card.pods, count)}
      ${card.taints.length ? html`<p class="taints">${card.taints.join(' ')}</p>` : nothing}
      <ul>${card.names.slice(0, 8).map(name => html`<li><a href=${podLink(name)}>${name}</a></li>`)}</ul>
      ${card.pods.used > 8 ? html`<p class="more">and ${count(card.pods.used - 8)} more</p>` : nothing}`;
  }
}

function use(name, {used, room}, write) {
  return html`<div class="use"><span>${name}</span><meter min="0" max=${room || 1} value=${used} aria-label="${name} requested"></meter><span class="number">${write(used)} / ${write(room)}</span></div>`;
}

customElements.define('berth-map', NodeMap);
