// One pod: where it stands, what would help, which nodes refuse it and why, how each plugin judges.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {KINDS, TONES, ago, clock, copy, count, gravity, plural, podLink, span, spaced} from './words.js';
import './matrix.js';

const REFRESH = 5000;
const REFRESH_GONE = 20_000;
const SOON = 300;
const ROWS = 12;
const MOST_SEEN = 12;
const WHO = {nobody: 'just wait', owner: 'owner', admin: 'admin', victims: 'others give way', newNode: 'new node'};

class Pod extends LitElement {
  static properties = {key: {}, told: {state: true}, problem: {state: true}, copied: {state: true}, all: {state: true}, now: {state: true}};

  constructor() {
    super();
    this.#forget();
    this.now = Date.now();
    this.decided = () => this.#decided();
  }

  /** Something happened to it: that is not left to the next look. */
  #decided() {
    const last = feed.decisions.findLast(one => one.pod === this.key)?.seq;
    if (last !== this.last) {
      this.last = last;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#load(), Math.max(SOON, 4 * (this.took ?? 0)));
    }
  }

  #forget() {
    this.told = null;
    this.problem = '';
    this.copied = 0;
    this.all = false;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.clock = setInterval(() => (this.now = Date.now()), 1000);
    feed.addEventListener('decisions', this.decided);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.clock);
    clearTimeout(this.timer);
    feed.removeEventListener('decisions', this.decided);
  }

  willUpdate(changed) {
    if (changed.has('key')) {
      this.#forget();
      this.#load();
    }
  }

  async #load() {
    clearTimeout(this.timer);
    this.timer = 0;
    const key = this.key;
    const [namespace, name] = key.split('/').map(encodeURIComponent);
    const begin = performance.now();
    try {
      const path = `/berth/v1/namespaces/${namespace}/pods/${name}/explanation`;
      let told = await feed.json(`${path}?${this.all ? 'nodes=all' : `top=${ROWS}`}${this.#examples(this.told)}`);
      if (told.truncated && told.nodes.length === 0 && !this.told) {
        told = await feed.json(`${path}?top=${ROWS}${this.#examples(told)}`);
      }
      if (key === this.key) {
        this.told = told;
        this.problem = '';
      }
    } catch (failed) {
      if (key === this.key) {
        this.problem = failed.status === 404 ? `There is no pod ${key} any more.` : failed.message;
      }
    }
    this.took = performance.now() - begin;
    if (this.isConnected && key === this.key) {
      this.timer ||= setTimeout(() => this.#load(), Math.max(this.problem ? REFRESH_GONE : REFRESH, 10 * this.took));
    }
  }

  /** Where no node has a rank, the nearest of each group are shown. */
  #examples(told) {
    if (this.all || !told || told.counts.feasible > 0) {
      return '';
    }
    return told.groups.flatMap(group => group.examples).slice(0, ROWS).map(example => `&node=${encodeURIComponent(example.node)}`).join('');
  }

  render() {
    const told = this.told;
    return html`
      <p class="crumbs"><a href="#/pending">Queue</a> <span aria-hidden="true">›</span> ${this.key}</p>
      ${this.problem ? html`<p class="trouble" role="alert">${this.problem}</p>` : nothing}
      ${told ? this.#body(told) : this.problem ? nothing : html`<p class="empty">Judging the pod …</p>`}
    `;
  }

  #body(told) {
    const {pod, phase, counts} = told;
    return html`
      <div class="headline">
        <h1><span class="namespace">${pod.namespace}/</span>${pod.name}</h1>
        <span class="chip ${gravity(phase.category)}">${spaced(phase.category)}</span>
      </div>
      <p class="sentence">${phase.sentence}</p>
      <dl class="inline">
        ${fact('since', phase.since && ago(phase.since, this.now))}
        ${fact('attempts', phase.attempts)}
        ${fact('queue', phase.queue !== 'unknown' && phase.queue)}
        ${fact('position', phase.position)}
        ${fact('next try', phase.nextTry && nextTry(phase.nextTry.time, this.now))}
        ${fact('node', pod.nodeName)}
        ${fact('priority', pod.priority || undefined)}
        ${fact('owner', pod.owner)}
        ${fact('nodes that can take it', `${count(counts.feasible)} of ${count(counts.nodes)}`)}
        <div><dt class="offscreen">map</dt><dd><a href="#/map?pod=${encodeURIComponent(`${pod.namespace}/${pod.name}`)}">show on the map</a></dd></div>
      </dl>
      ${told.message ? html`<p class="message">${told.message}</p>` : nothing}
      ${this.#fixes(told)}
      ${choice(told)}
      ${preemption(told)}
      ${groups(told)}
      ${this.#matrix(told)}
      ${history(this.key, this.now)}
      ${told.uncertain?.length ? html`<ul class="uncertain">${told.uncertain.map(text => html`<li>${text}</li>`)}</ul>` : nothing}
    `;
  }

  #fixes(told) {
    if (told.fixes.length === 0) {
      return told.choice || told.phase.category === 'Gated' ? nothing : html`<h2>What would help</h2><p class="empty">${told.effort.tried ? `Nothing was found that would: ${plural(told.effort.tried, 'change')} tried.` : 'Nothing was found that would.'}</p>`;
    }
    return html`
      <h2>What would help <small>${plural(told.effort.tried, 'change')} tried in ${count(told.effort.millis)} ms${told.effort.budgetReached ? ', more were left' : ''}</small></h2>
      <div class="scroll"><table class="fixes">
        <thead><tr><th scope="col" class="number">#</th><th scope="col">Change</th><th scope="col" class="number">Nodes</th><th scope="col">Lands on</th><th scope="col">Who</th><th scope="col"><span class="offscreen">Copy</span></th></tr></thead>
        <tbody>${told.fixes.map(fix => html`
          <tr>
            <td class="number">${fix.id}</td>
            <td>${fix.sentence}${fix.victims?.length ? html`<span class="detail">makes room: ${fix.victims.map(victim => victim.pod).join(', ')}</span>` : nothing}</td>
            <td class="number">${count(fix.nodes)}</td>
            <td class="name">${fix.landsOn}</td>
            <td>${WHO[fix.who] ?? fix.who}</td>
            <td class="act">${this.#copy(fix, told.pod)}</td>
          </tr>`)}</tbody>
      </table></div>`;
  }

  #copy(fix, pod) {
    const text = fix.command || (fix.patch ? `kubectl patch pod ${pod.name} -n ${pod.namespace} --type=json -p '${JSON.stringify(fix.patch)}'` : '');
    if (!text) {
      return nothing;
    }
    const label = fix.command ? 'copy command' : 'copy patch';
    return html`<button title=${text} aria-label="${label} of fix ${fix.id}" @click=${async () => {
      this.copied = (await copy(fix.command || JSON.stringify(fix.patch))) ? fix.id : -fix.id;
      setTimeout(() => (this.copied = 0), 1500);
    }}>${this.copied === fix.id ? 'copied' : this.copied === -fix.id ? 'refused' : label}</button>`;
  }

  #matrix(told) {
    return html`
      <h2>Nodes <small>${told.truncated ? `${count(told.nodes.length)} of ${count(told.counts.nodes)}` : count(told.counts.nodes)}</small>
        ${told.truncated || this.all ? html`<button class="link" @click=${() => {
          this.all = !this.all;
          this.#load();
        }}>${this.all ? 'the nearest only' : 'all nodes'}</button>` : nothing}</h2>
      <berth-matrix .rows=${told.nodes} .chosen=${told.pod.nodeName ?? told.choice?.node ?? ''}></berth-matrix>`;
  }
}

function fact(name, value) {
  return value || value === 0 ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing;
}

function nextTry(time, now) {
  const left = Date.parse(time) - now;
  return left > 0 ? `in ${span(left + 999)} at the latest` : 'now';
}

function choice({choice, pod}) {
  if (!choice) {
    return nothing;
  }
  const deciding = choice.influence.filter(one => one.winnerChanged);
  const by = {nominated: 'it was nominated to it', onlyOne: 'it is the only one', score: 'it has the best score', order: 'it is the first of equals', random: 'chance decided among equals'}[choice.chosenBy] ?? '';
  const where = pod.nodeName ? (choice.node === pod.nodeName ? html`It would go to <b>${choice.node}</b> again: ${by}.` : html`It would now go to <b>${choice.node}</b> instead: ${by}.`) : html`It would go to <b>${choice.node}</b>: ${by}.`;
  if (choice.chosenBy === 'onlyOne') {
    return html`<h2>Why there</h2><p>${where}</p>`;
  }
  return html`
    <h2>Why there</h2>
    <p>${where} Total ${count(choice.total)}${choice.ties > 1 ? `, ${count(choice.ties)} nodes equal` : ''}.
    ${deciding.length ? html`Without ${deciding.map((one, i) => html`${i ? '; without ' : ''}<b>${one.plugin}</b> it would be ${one.winnerWithout}`)}.` : html`No single plugin decides it.`}</p>`;
}

/** Who would have to give way, and where they would go. */
function preemption({preemption: told}) {
  if (!told?.candidates.length) {
    return nothing;
  }
  return html`
    <h2>Preemption</h2>
    <p>${told.sentence}</p>
    <ul class="chain">${told.candidates.map(one => html`
      <li><b>${one.node}</b>${one.pdbViolations ? html` <span class="chip bad">${plural(one.pdbViolations, 'budget')} broken</span>` : nothing}
        <ul>${one.victims.map(victim => html`<li><a href=${podLink(victim.pod)}>${victim.pod}</a> <small>priority ${count(victim.priority)}</small> <span aria-hidden="true">→</span> ${victim.newNode ? html`finds a place on ${victim.newNode}` : 'would find no place'}</li>`)}</ul>
      </li>`)}</ul>`;
}

function groups({groups, counts}) {
  if (groups.length === 0) {
    return nothing;
  }
  return html`
    <h2>Who refuses it <small>${plural(counts.nodes - counts.feasible, 'node')} in ${plural(groups.length, 'group')}</small></h2>
    <div class="scroll"><table class="groups">
      <thead><tr><th scope="col" class="number">Nodes</th><th scope="col" class="share"><span class="offscreen">Share</span></th><th scope="col">Reasons</th><th scope="col">Such as</th></tr></thead>
      <tbody>${groups.map(group => html`
        <tr>
          <td class="number big">${count(group.count)}</td>
          <td class="share"><meter min="0" max=${counts.nodes} value=${group.count} aria-label="share of all nodes"></meter></td>
          <td>${details(group).map(detail => html`<span class="reason">${detail.text} <span class="plugin">${detail.plugin}${detail.count < group.count ? html`, ${plural(detail.count, 'node')}` : nothing}</span></span>`)}</td>
          <td class="name">${group.examples.slice(0, 3).map(example => example.node).join(', ')}${group.count > 3 ? ' …' : ''}</td>
        </tr>`)}</tbody>
    </table></div>`;
}

const details = group => (group.details.length ? group.details : group.reasons).slice(0, 6);

/** What was seen of it while the page was open, and a little before. */
function history(key, now) {
  const seen = feed.decisions.filter(one => one.pod === key).slice(-MOST_SEEN).reverse();
  if (seen.length === 0) {
    return nothing;
  }
  return html`
    <h2>What happened</h2>
    <ol class="history">${seen.map(one => html`
      <li><time datetime=${one.time} title=${ago(one.time, now)}>${clock(one.time)}</time> <span class="chip ${TONES[one.kind]}">${KINDS[one.kind]}</span> <span>${one.node ?? ''} ${one.text ?? ''}</span></li>`)}</ol>`;
}

customElements.define('berth-pod', Pod);
