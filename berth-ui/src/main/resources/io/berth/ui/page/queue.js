// What waits, and for what: groups by category and cause.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {ago, count, gravity, plural, podLink, spaced} from './words.js';
import './map.js';
import './series.js';

const SHORTEST_PAUSE = 1000;

class Queue extends LitElement {
  static properties = {report: {state: true}, problem: {state: true}, by: {state: true}, namespace: {state: true}, now: {state: true}};

  constructor() {
    super();
    this.report = null;
    this.problem = '';
    this.by = 'reason';
    this.namespace = '';
    this.now = Date.now();
    this.refresh = () => this.#soon();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    feed.addEventListener('queue', this.refresh);
    this.clock = setInterval(() => (this.now = Date.now()), 1000);
    this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    feed.removeEventListener('queue', this.refresh);
    clearInterval(this.clock);
    clearTimeout(this.timer);
  }

  /** Never more than a fifth of the time is spent on asking. */
  #soon() {
    if (!this.timer) {
      this.timer = setTimeout(() => this.#load(), Math.max(SHORTEST_PAUSE, 4 * (this.took ?? 0)));
    }
  }

  async #load() {
    clearTimeout(this.timer);
    this.timer = 0;
    const begin = performance.now();
    try {
      const report = await feed.json(`/berth/v1/pending?by=${this.by}&namespace=${encodeURIComponent(this.namespace)}`);
      this.report = report;
      feed.causes = report.causes;
      this.problem = '';
    } catch (failed) {
      this.problem = failed.message;
      if (this.isConnected) {
        this.#soon();
      }
    }
    this.took = performance.now() - begin;
  }

  #choose(field, value) {
    this[field] = value;
    this.#load();
  }

  render() {
    const report = this.report;
    return html`
      <div class="headline">
        <h1>${report ? plural(report.pods, 'pod') + ' waiting' : 'Queue'}</h1>
        <div class="sparks">
          <berth-series name="pending" label="waiting"></berth-series>
          <berth-series name="bound" label="placed per second"></berth-series>
        </div>
      </div>
      <div class="tools">
        <label>Group by <select .value=${this.by} @change=${event => this.#choose('by', event.target.value)}>
          <option value="reason">reason</option><option value="owner">owner</option><option value="plugin">plugin</option>
        </select></label>
        <label>Namespace <input type="text" placeholder="all" .value=${this.namespace} @change=${event => this.#choose('namespace', event.target.value.trim())}></label>
        ${report?.source ? html`<span class="source">${report.source.sentence}</span>` : nothing}
      </div>
      ${this.problem ? html`<p class="trouble" role="alert">${this.problem}</p>` : nothing}
      ${report ? this.#table(report) : html`<p class="empty">Reading the queue …</p>`}
      ${report?.uncertain?.length ? html`<ul class="uncertain">${report.uncertain.map(text => html`<li>${text}</li>`)}</ul>` : nothing}
      ${report?.truncated ? html`<p class="note">There are too many kinds of pods; some were not judged.</p>` : nothing}
      <berth-map small></berth-map>
    `;
  }

  #table(report) {
    if (report.causes.length === 0) {
      return html`<p class="empty">Nothing waits${this.namespace ? ` in ${this.namespace}` : ''}. Look at <a href="#/log">the decisions</a>, or ask where pods would go in <a href="#/play">the playground</a>.</p>`;
    }
    return html`
      <div class="scroll"><table class="causes">
        <caption class="offscreen">Pods that wait, in groups</caption>
        <thead><tr><th scope="col" class="number">Pods</th><th scope="col">State</th><th scope="col">Cause</th><th scope="col" class="number">Oldest</th><th scope="col">Such as</th></tr></thead>
        <tbody>${report.causes.map(cause => this.#row(cause))}</tbody>
      </table></div>`;
  }

  #row(cause) {
    const first = cause.examples[0];
    return html`
      <tr>
        <td class="number big">${count(cause.count)}</td>
        <td><span class="chip ${gravity(cause.category)}">${spaced(cause.category)}</span></td>
        <td class="cause">
          ${cause.owner ? html`<b>${cause.owner}</b> ` : nothing}
          ${first ? html`<a href=${podLink(first)}>${cause.text || 'a node could take it'}</a>` : cause.text}
          ${cause.plugin ? html`<span class="plugin">${cause.plugin}</span>` : nothing}
        </td>
        <td class="number age">${ago(cause.oldest, this.now)}</td>
        <td class="examples">${cause.examples.slice(0, 3).map(pod => html`<a href=${podLink(pod)}>${pod}</a>`)}${cause.count > 3 ? html`<span class="more">+${count(cause.count - 3)}</span>` : nothing}</td>
      </tr>`;
  }
}

customElements.define('berth-queue', Queue);
