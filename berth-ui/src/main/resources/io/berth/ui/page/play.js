// Write pods, and see at once where they would go. Nothing is created.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {pack, unpack} from './pack.js';
import {copy, count, plural} from './words.js';

const PAUSE = 80;
const MOST_REASONS = 20;
const KEPT = 'berth-play';
const SAMPLE = `# Pods in thought: nothing of this is created.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 6
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector:
          matchLabels: {app: web}
      containers:
      - name: web
        image: nginx
        resources:
          requests: {cpu: 500m, memory: 512Mi}
---
apiVersion: v1
kind: Pod
metadata:
  name: picky
spec:
  nodeSelector:
    disk: nvme
  containers:
  - name: main
    image: busybox
    resources:
      requests: {cpu: "2"}
`;

class Play extends LitElement {
  static properties = {shared: {}, text: {state: true}, result: {state: true}, problem: {state: true}, millis: {state: true}, copied: {state: true}};

  constructor() {
    super();
    this.result = null;
    this.problem = '';
    this.millis = 0;
    this.shared = '';
    this.copied = false;
    this.text = sessionStorage.getItem(KEPT) ?? SAMPLE;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this.shared) {
      this.#ask();
    }
  }

  willUpdate(changed) {
    if (changed.has('shared') && this.shared) {
      this.#open(this.shared);
    }
  }

  /** What somebody wrote elsewhere; it stands in the address, and goes to no server but with a question. */
  async #open(packed) {
    try {
      this.text = await unpack(packed);
    } catch {
      this.problem = 'The link is damaged: what it holds cannot be read.';
      return;
    }
    this.#ask();
  }

  async #share() {
    const link = `#/play?y=${await pack(this.text)}`;
    history.replaceState(null, '', link);
    this.copied = await copy(location.href);
    setTimeout(() => (this.copied = false), 2000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  #edit(event) {
    this.text = event.target.value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(), PAUSE);
  }

  async #ask() {
    sessionStorage.setItem(KEPT, this.text);
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    const begin = performance.now();
    try {
      const result = await feed.json('/berth/v1/play', {method: 'POST', body: this.text, signal: controller.signal, headers: {'Content-Type': 'application/yaml'}});
      this.problem = result.problem ?? '';
      if (!result.problem) {
        this.result = result;
      }
      this.millis = performance.now() - begin;
    } catch (failed) {
      if (failed.name !== 'AbortError') {
        this.problem = failed.message;
      }
    }
  }

  render() {
    return html`
      <div class="headline"><h1>Playground</h1></div>
      <p class="note">Pods, Deployments, StatefulSets, Jobs, and nodes to add: where would they go, on this cluster, now? Nothing is created.</p>
      <div class="halves">
        <div>
          <div class="over"><label for="yaml">YAML</label><button id="share" @click=${() => this.#share()}>${this.copied ? 'copied' : 'copy as a link'}</button></div>
          <textarea id="yaml" spellcheck="false" autocomplete="off" .value=${this.text} @input=${this.#edit}></textarea>
        </div>
        <div aria-live="polite">
          ${this.problem ? html`<p class="trouble">${this.problem}</p>` : nothing}
          ${this.result ? this.#placements(this.result) : nothing}
        </div>
      </div>`;
  }

  #placements(result) {
    const placed = result.placements.filter(one => one.node);
    const waiting = result.placements.filter(one => !one.node);
    const nodes = grouped(placed, one => one.node);
    return html`
      <p class="outcome"><b>${plural(placed.length, 'pod')} placed</b>${placed.length ? ` on ${plural(nodes.size, 'node')}` : nothing}${waiting.length ? html`, <b class="warn">${plural(waiting.length, 'pod')} without a place</b>` : nothing} <small>${Math.round(this.millis)} ms</small></p>
      ${result.passedOver.length ? html`<p class="note">Passed over: ${result.passedOver.join(', ')}.</p>` : nothing}
      ${waiting.length ? html`<ul class="refused">${[...grouped(waiting, one => one.text)].slice(0, MOST_REASONS).map(([text, some]) => html`<li><b>${some[0].pod}</b>${some.length > 1 ? ` and ${plural(some.length - 1, 'other')}` : nothing}: ${text}</li>`)}</ul>` : nothing}
      ${nodes.size === 0 ? nothing : html`
      <table class="placements">
        <thead><tr><th scope="col">Node</th><th scope="col" class="number">Pods</th><th scope="col">Which</th></tr></thead>
        <tbody>${[...nodes].sort(([a], [b]) => a.localeCompare(b, 'en', {numeric: true})).map(([node, pods]) => html`
          <tr><td class="name">${node}</td><td class="number">${count(pods.length)}</td><td class="name">${pods.slice(0, 6).map(one => one.pod.split('/')[1]).join(', ')}${pods.length > 6 ? ' …' : ''}</td></tr>`)}</tbody>
      </table>`}`;
  }
}

/** Those that are alike together, in the order of the first of each. */
function grouped(all, alike) {
  const groups = new Map();
  for (const one of all) {
    const key = alike(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

customElements.define('berth-play', Play);
