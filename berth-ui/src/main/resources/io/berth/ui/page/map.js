// All nodes as tiles: how full they are, or what they are to one pod.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {CORDONED, NOT_READY, TAINTED, UNKNOWN, loadPaint, lookOf, verdictPaint} from './paint.js';
import {Tiles} from './tiles.js';
import {bytes, count, cpu, plural, podLink} from './words.js';

const LEFT_OUT = 255;
const COLOURS = ['cpu', 'memory', 'pods', 'devices', 'verdict'];
const HOVER = 70;
const TELL_AGAIN = 1000;
const MOST_GROUPS = 6;
const SMALL_HEIGHT = 300;
const SMALL_TILE = 44;

class NodeMap extends LitElement {
  static properties = {pod: {}, small: {type: Boolean}, colour: {state: true}, group: {state: true}, verdicts: {state: true}, problem: {state: true}, card: {state: true}, pinned: {state: true}, tick: {state: true}};

  constructor() {
    super();
    this.pod = '';
    this.small = false;
    this.colour = 'cpu';
    this.group = 'zone';
    this.verdicts = null;
    this.problem = '';
    this.card = null;
    this.pinned = false;
    this.nodeSlot = -1;
    this.tick = 0;
    this.press = event => event.key === 'Escape' && this.#select(-1);
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
    addEventListener('keydown', this.press);
    this.scheme.addEventListener('change', this.themed);
    this.refresh = setInterval(() => this.colour === 'verdict' && this.pod && this.#judge(), 5000);
    feed.needMap().catch(failed => (this.problem = failed.message));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    feed.removeEventListener('map', this.changed);
    removeEventListener('keydown', this.press);
    this.scheme.removeEventListener('change', this.themed);
    clearInterval(this.refresh);
    clearTimeout(this.timer);
    clearTimeout(this.telling);
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
    this.look = lookOf(this);
    this.#later(true);
  }

  #changed(detail) {
    this.problem = '';
    if (detail.all) {
      this.tick++;
      if (this.generation !== feed.map.generation) {
        // Its slot may be another's now.
        this.generation = feed.map.generation;
        this.#select(-1);
      }
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
    // The words about the picture follow it, in their own time.
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.tick++;
    }, TELL_AGAIN);
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
    const paint = this.#paint(map);
    if (this.anew) {
      const {names, of} = this.#groups(map);
      const box = this.canvas.parentElement;
      const height = this.small ? SMALL_HEIGHT : Math.max(240, innerHeight - box.getBoundingClientRect().top - scrollY - 60);
      this.tiles.layout(map.count, of, names, Math.floor(box.clientWidth), height, this.small ? SMALL_TILE : undefined);
    }
    if (this.anew || this.whole) {
      this.tiles.draw(map.count, paint, this.look);
    } else {
      for (const slot of this.dirty ?? []) {
        this.tiles.tile(slot, paint, this.look);
      }
      this.tiles.write(paint, this.look);
    }
    if (this.nodeSlot >= 0 && this.nodeSlot < map.count) {
      this.tiles.ring(this.nodeSlot, this.look);
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

  #groups(map) {
    const [names, of] = this.group === 'zone' ? [map.zones, map.zone] : [map.pools, map.pool];
    return {names: names.map(name => name || `no ${this.group}`), of};
  }

  #paint(map) {
    return this.colour === 'verdict' ? verdictPaint(map, this.verdicts, this.look) : loadPaint(map, this.colour, this.#groups(map), this.look);
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

  #under(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.tiles.at(event.clientX - box.left, event.clientY - box.top);
  }

  #hover(event) {
    if (!this.pinned) {
      this.#select(this.#under(event));
    }
  }

  #leave(event) {
    if (event.pointerType === 'mouse' && !this.pinned) {
      this.#select(-1);
    }
  }

  /** A node that was clicked stays, so that one can go to its card. */
  #pin(event) {
    const slot = this.#under(event);
    const again = this.pinned && slot === this.nodeSlot;
    this.#select(again ? -1 : slot, true);
  }

  #select(slot, pinned = false) {
    this.pinned = pinned && slot >= 0;
    if (slot === this.nodeSlot) {
      return;
    }
    const old = this.nodeSlot;
    this.nodeSlot = slot;
    if (old >= 0 || slot >= 0) {
      this.dirty ??= new Set();
      this.dirty.add(old >= 0 ? old : slot);
      this.#later(false, true);
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
      this.#select(this.tiles.next(this.nodeSlot, ...move), true);
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
          ${COLOURS.filter(name => name !== 'devices' || hasDevices(map)).map(name => html`<label><input type="radio" name="colour" value=${name} .checked=${this.colour === name} @change=${() => this.#choose(name)}><span>${name}</span></label>`)}
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
        @pointermove=${this.#hover} @click=${this.#pin} @pointerleave=${this.#leave} @keydown=${this.#key}></canvas></div>
      <aside class="card ${this.card ? '' : 'none'}" aria-live="polite">${this.card ? this.#card(this.card) : nothing}</aside>`;
  }

  #summary(map) {
    if (!map) {
      return 'Map of all nodes';
    }
    if (this.colour === 'verdict') {
      return this.verdicts ? `Map: ${plural(this.verdicts.feasible, 'node')} of ${count(map.count)} can take ${this.verdicts.pod}` : 'Map of what the nodes are to a pod';
    }
    const known = map[this.colour].filter(value => value !== UNKNOWN);
    const sum = known.reduce((all, value) => all + value, 0);
    return `Map of ${plural(map.count, 'node')}, ${this.colour} requested: ${Math.round(sum / Math.max(1, known.length))} % on average. Arrow keys go from node to node.`;
  }

  #legend(map) {
    if (this.colour === 'verdict') {
      const verdicts = this.verdicts;
      if (!verdicts) {
        return html`<p class="legend">${this.pod ? 'Judging …' : 'Name a pod to see what each node is to it.'}</p>`;
      }
      const groups = [...verdicts.groups].sort((a, b) => a.reasons - b.reasons || b.count - a.count);
      return html`<div class="legend">
        <span><i class="swatch good"></i><span>${plural(verdicts.feasible, 'node')} can take <a href=${podLink(verdicts.pod)}>${verdicts.pod}</a>${verdicts.node ? `, which is on ${verdicts.node}` : nothing}</span></span>
        ${groups.slice(0, MOST_GROUPS).map(group => html`<span><i class="swatch ${group.reasons === 1 ? 'one' : 'more'}"></i><span><b>${count(group.count)}</b> ${group.example}</span></span>`)}
        ${groups.length > MOST_GROUPS ? html`<span>and ${plural(groups.length - MOST_GROUPS, 'more group')}</span>` : nothing}
      </div>`;
    }
    const states = map?.state ?? [];
    const [cordoned, tainted, lost] = [CORDONED, TAINTED, NOT_READY].map(bit => states.reduce((all, state) => all + (state & bit ? 1 : 0), 0));
    const none = this.colour === 'devices' ? map.devices.reduce((all, value) => all + (value === UNKNOWN ? 1 : 0), 0) : 0;
    return html`<div class="legend">
      <span class="ramp" aria-hidden="true">${Array.from({length: 11}, (_, i) => html`<i class="swatch ramp-${i}"></i>`)}</span><span>0 – 100 % of ${this.colour} requested</span>
      ${none ? html`<span><i class="swatch none"></i>${count(none)} without devices</span>` : nothing}
      ${cordoned ? html`<span><i class="swatch cordoned"></i>${count(cordoned)} cordoned</span>` : nothing}
      ${lost ? html`<span><i class="swatch lost"></i>${count(lost)} not ready</span>` : nothing}
      ${tainted ? html`<span>${count(tainted)} tainted</span>` : nothing}
    </div>`;
  }

  #card(card) {
    const verdict = this.colour === 'verdict' && this.verdicts ? this.verdicts.column[card.slot] : LEFT_OUT;
    return html`
      <h2><span>${card.name}</span>${this.pinned ? html`<button class="quiet" aria-label="Close; key esc" @click=${() => this.#select(-1)}>×</button>` : nothing}</h2>
      <p class="where">${[named('zone', card.zone), named('pool', card.pool), card.cordoned && 'cordoned'].filter(Boolean).join(' · ')}</p>
      ${verdict === LEFT_OUT ? nothing : html`<p class="verdict">${verdict === 0 ? 'can take the pod' : this.verdicts.groups[verdict - 1].filters}</p>`}
      <div class="uses">
        ${use('cpu', card.cpu, cpu)}${use('memory', card.memory, bytes)}${use('pods', card.pods, count)}
        ${Object.entries(card.devices).map(([name, amounts]) => use(name, amounts, count))}
      </div>
      ${card.taints.length ? html`<p class="taints">${card.taints.join(' ')}</p>` : nothing}
      <ul>${card.names.slice(0, 8).map(name => html`<li><a href=${podLink(name)}>${name}</a></li>`)}</ul>
      ${card.pods.used > 8 ? html`<p class="more">and ${count(card.pods.used - 8)} more</p>` : nothing}`;
  }
}

/** A name that does not say itself what it is the name of. */
const named = (what, name) => (!name || name.includes(what) ? name : `${what} ${name}`);

const hasDevices = map => map?.devices.some(value => value !== UNKNOWN);

function use(name, {used, room}, write) {
  return html`<span>${name}</span><meter min="0" max=${room || 1} value=${used} aria-label="${name} requested"></meter><span class="number">${write(used)} / ${write(room)}</span>`;
}

customElements.define('berth-map', NodeMap);
