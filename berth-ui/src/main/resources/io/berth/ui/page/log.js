// Decisions as they are made.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {KINDS, TONES, clock, count, podLink} from './words.js';

const MOST_ROWS = 300;

class Log extends LitElement {
  static properties = {query: {}, kinds: {state: true}, paused: {state: true}, tick: {state: true}};

  constructor() {
    super();
    this.query = '';
    this.kinds = new Set(Object.keys(KINDS));
    this.paused = null;
    this.tick = 0;
    this.draw = () => {
      if (!this.frame) {
        this.frame = requestAnimationFrame(() => {
          this.frame = 0;
          this.tick++;
        });
      }
    };
    this.press = event => {
      if (event.key === 'p' && !event.target.closest?.('input, textarea, select') && !event.ctrlKey && !event.metaKey) {
        this.#pause();
      }
    };
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    feed.addEventListener('decisions', this.draw);
    addEventListener('keydown', this.press);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    feed.removeEventListener('decisions', this.draw);
    removeEventListener('keydown', this.press);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  #pause() {
    this.paused = this.paused ? null : feed.decisions;
  }

  #toggle(kind) {
    const kinds = new Set(this.kinds);
    if (!kinds.delete(kind)) {
      kinds.add(kind);
    }
    this.kinds = kinds;
  }

  render() {
    const all = this.paused ?? feed.decisions;
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [];
    for (let i = all.length - 1; i >= 0 && shown.length < MOST_ROWS; i--) {
      const one = all[i];
      if (this.kinds.has(one.kind) && words.every(word => `${one.pod} ${one.node ?? ''} ${one.text ?? ''}`.toLowerCase().includes(word))) {
        shown.push(one);
      }
    }
    const waiting = this.paused ? feed.decisions.filter(one => one.seq > (this.paused.at(-1)?.seq ?? 0)).length : 0;
    return html`
      <div class="headline"><h1>Decisions</h1></div>
      <div class="tools">
        <label>Filter <input type="text" placeholder="pod, node, reason" .value=${this.query} @input=${event => (this.query = event.target.value)}></label>
        <fieldset><legend class="offscreen">Kinds</legend>
          ${Object.entries(KINDS).map(([kind, label]) => html`<label class="check"><input type="checkbox" .checked=${this.kinds.has(kind)} @change=${() => this.#toggle(kind)}> ${label}</label>`)}
        </fieldset>
        <button id="pause" aria-pressed=${this.paused ? 'true' : 'false'} @click=${() => this.#pause()}>${this.paused ? `go on${waiting ? ` (${count(waiting)} new)` : ''}` : 'pause'}</button>
        ${feed.left ? html`<span class="source">${count(feed.left)} came too fast to be shown</span>` : nothing}
      </div>
      ${shown.length === 0 ? html`<p class="empty">${all.length ? 'Nothing that fits the filter.' : 'Nothing has been decided yet.'}</p>` : html`
      <div class="scroll"><table class="log">
        <thead><tr><th scope="col">Time</th><th scope="col">What</th><th scope="col">Pod</th><th scope="col">Node, or why not</th></tr></thead>
        <tbody>${shown.map(one => html`
          <tr>
            <td class="time">${clock(one.time)}</td>
            <td><span class="chip ${TONES[one.kind]}">${KINDS[one.kind]}</span></td>
            <td class="name"><a href=${podLink(one.pod)}>${one.pod}</a></td>
            <td class="why">${one.node ?? ''}${one.text ? html`<span class="text">${one.text}</span>` : nothing}</td>
          </tr>`)}</tbody>
      </table></div>`}
    `;
  }
}

customElements.define('berth-log', Log);
