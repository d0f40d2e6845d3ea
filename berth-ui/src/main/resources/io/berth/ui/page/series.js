// The last two minutes of a number, as a line.

import {LitElement, html, svg, nothing} from 'lit';
import {feed} from './feed.js';
import {count} from './words.js';

const WIDTH = 120;
const HEIGHT = 28;

class Series extends LitElement {
  static properties = {name: {}, label: {}, tick: {state: true}};

  constructor() {
    super();
    this.tick = 0;
    this.draw = () => this.tick++;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    feed.addEventListener('series', this.draw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    feed.removeEventListener('series', this.draw);
  }

  render() {
    const values = feed.series[this.name];
    const last = values.at(-1) ?? 0;
    const most = Math.max(1, ...values);
    const points = values.map((value, i) => {
      const x = WIDTH - (values.length - 1 - i);
      return `${x},${(HEIGHT - 2 - ((HEIGHT - 4) * value) / most).toFixed(1)}`;
    });
    return html`
      <figure>
        <svg viewBox="0 0 120 28" width="120" height="28" role="img" aria-label="${this.label}: ${count(last)} now, at most ${count(most)} in two minutes">
          <line x1="0" x2="120" y1="26.5" y2="26.5"></line>
          ${points.length > 1 ? svg`<polyline points=${points.join(' ')}></polyline>` : nothing}
        </svg>
        <figcaption><b>${count(last)}</b> ${this.label}</figcaption>
      </figure>`;
  }
}

customElements.define('berth-series', Series);
