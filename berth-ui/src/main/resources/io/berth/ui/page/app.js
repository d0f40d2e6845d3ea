// The frame: where one is, what state the cluster is in, keys, search.

import {LitElement, html, nothing} from 'lit';
import {feed} from './feed.js';
import {count, podLink} from './words.js';
import './queue.js';
import './pod.js';
import './map.js';
import './log.js';
import './play.js';

const VIEWS = [
  ['pending', 'Queue'],
  ['map', 'Map'],
  ['log', 'Decisions'],
  ['play', 'Playground'],
];

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').map(decodeURIComponent);
  return {view: parts[0] || 'pending', parts: parts.slice(1), query: new URLSearchParams(query ?? '')};
}

class App extends LitElement {
  static properties = {route: {state: true}, tick: {state: true}};

  constructor() {
    super();
    this.route = route();
    this.tick = 0;
    for (const name of ['state', 'summary']) {
      feed.addEventListener(name, () => this.tick++);
    }
    addEventListener('hashchange', () => {
      this.route = route();
      scrollTo(0, 0);
    });
    addEventListener('keydown', event => this.#key(event));
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    const {view, parts} = this.route;
    const title = view === 'pod' ? parts.join('/') : (VIEWS.find(([name]) => name === view)?.[1] ?? '');
    document.title = `${title} · Berth`;
  }

  #key(event) {
    const field = event.target.closest?.('input, textarea, select');
    if (event.key === 'Escape') {
      if (field) {
        field.blur();
      } else if (location.hash.startsWith('#/pod/')) {
        location.hash = '#/pending';
      }
      return;
    }
    if (field || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      this.querySelector('#search').focus();
    } else if (event.key === '?') {
      this.querySelector('dialog').showModal();
    } else if (/^[1-4]$/.test(event.key)) {
      location.hash = `#/${VIEWS[Number(event.key) - 1][0]}`;
    }
  }

  #search(event) {
    event.preventDefault();
    const input = this.querySelector('#search');
    const text = input.value.trim();
    if (!text) {
      return;
    }
    const known = names().find(name => name === text || name.endsWith(`/${text}`));
    input.value = '';
    input.blur();
    if (known || text.includes('/')) {
      location.hash = podLink(known ?? text);
    } else {
      location.hash = `#/log?q=${encodeURIComponent(text)}`;
    }
  }

  #suggest() {
    const list = this.querySelector('#names');
    list.replaceChildren(...names().slice(0, 300).map(name => new Option(name, name)));
  }

  render() {
    const {view} = this.route;
    const {summary} = feed;
    return html`
      <a class="skip" href="#main" @click=${event => {
        event.preventDefault();
        this.querySelector('main').focus();
      }}>Skip to the content</a>
      <header>
        <a class="brand" href="#/pending" aria-label="Berth, to the queue"><img src="./icon.svg" alt="" width="20" height="20"><span>Berth</span></a>
        <nav aria-label="Views">
          ${VIEWS.map(([name, label]) => html`<a href="#/${name}" aria-current=${view === name || (name === 'pending' && view === 'pod') ? 'page' : nothing}>${label}</a>`)}
        </nav>
        <form role="search" @submit=${this.#search}>
          <input id="search" type="search" list="names" placeholder="namespace/pod" aria-label="Search for a pod; key /" autocomplete="off" @focus=${this.#suggest}>
          <datalist id="names"></datalist>
        </form>
        <button class="quiet" @click=${() => this.querySelector('dialog').showModal()} aria-label="Help and keys; key ?">?</button>
      </header>
      <div class="facts" role="status">
        <span class="dot ${feed.state}" aria-hidden="true"></span>
        <span>${words(feed.state)}</span>
        ${summary.title ? html`<span class="title">${summary.title}</span>` : nothing}
        <span><b>${count(summary.nodes)}</b> nodes</span>
        <span><b>${count(summary.pods)}</b> pods</span>
        <span class=${summary.pending ? 'pending' : ''}><b>${count(summary.pending)}</b> pending</span>
      </div>
      ${feed.state !== 'live' && feed.problem ? html`<p class="trouble" role="alert">${trouble()}</p>` : nothing}
      ${feed.state === 'live' && summary.problem ? html`<p class="trouble" role="alert">${summary.problem}</p>` : nothing}
      <main id="main" tabindex="-1">${this.#view()}</main>
      ${help()}
    `;
  }

  #view() {
    const {view, parts, query} = this.route;
    switch (view) {
      case 'pod':
        return html`<berth-pod key=${parts.join('/')}></berth-pod>`;
      case 'map':
        return html`<berth-map pod=${query.get('pod') ?? ''}></berth-map>`;
      case 'log':
        return html`<berth-log query=${query.get('q') ?? ''}></berth-log>`;
      case 'play':
        return html`<berth-play shared=${query.get('y') ?? ''}></berth-play>`;
      default:
        return html`<berth-queue></berth-queue>`;
    }
  }
}

/** Pods that the page has heard of, the newest first. */
function names() {
  const all = new Set(feed.causes?.flatMap(cause => cause.examples) ?? []);
  for (let i = feed.decisions.length - 1; i >= 0; i--) {
    all.add(feed.decisions[i].pod);
  }
  return [...all];
}

function words(state) {
  return {live: 'live', lost: 'connection lost, trying again', connecting: 'connecting'}[state];
}

function trouble() {
  return /key/.test(feed.problem) ? 'This page needs the link that was printed where it was started: the key in it is missing.' : feed.problem;
}

function help() {
  return html`
    <dialog aria-labelledby="help-title" @click=${event => event.target.localName === 'dialog' && event.target.close()}>
      <h2 id="help-title">Keys</h2>
      <dl>
        <dt><kbd>/</kbd></dt><dd>search for a pod</dd>
        <dt><kbd>esc</kbd></dt><dd>leave a field, a pod, this box</dd>
        <dt><kbd>1</kbd>–<kbd>4</kbd></dt><dd>queue, map, decisions, playground</dd>
        <dt><kbd>p</kbd></dt><dd>pause the decisions</dd>
        <dt><kbd>← ↑ ↓ →</kbd></dt><dd>from node to node on the map</dd>
        <dt><kbd>?</kbd></dt><dd>this box</dd>
      </dl>
      <p>Nothing is written from this page: patches are copied, and you apply them.</p>
      <form method="dialog"><button autofocus>Close</button></form>
    </dialog>`;
}

customElements.define('berth-app', App);
