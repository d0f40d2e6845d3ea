// Nodes by plugins. Rows have one height and only those in sight exist, so that thousands cost what thirty do.

import {LitElement, html, nothing} from 'lit';

const ROW = 28;
const MOST_HEIGHT = 480;
const SPARE = 6;

class Matrix extends LitElement {
  static properties = {rows: {attribute: false}, chosen: {}, top: {state: true}};

  constructor() {
    super();
    this.rows = [];
    this.chosen = '';
    this.top = 0;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const rows = this.rows;
    const refusing = ordered(rows.flatMap(row => row.refusals.map(refusal => refusal.plugin)));
    const scoring = ordered(rows.flatMap(row => (row.scores ?? []).map(score => score.plugin)));
    const ranked = rows.some(row => row.rank !== undefined || row.leftOut);
    const most = Object.fromEntries(scoring.map(plugin => [plugin, Math.max(1, ...rows.map(row => score(row, plugin)?.weighted ?? 0))]));
    const first = Math.max(0, Math.floor(this.top / ROW) - SPARE);
    const seen = rows.slice(first, first + Math.ceil(MOST_HEIGHT / ROW) + 2 * SPARE);
    const after = rows.length - first - seen.length;
    return html`
      <div class="matrix scroll" tabindex="0" role="region" aria-label="Nodes by plugins" @scroll=${event => (this.top = event.target.scrollTop)}>
        <table aria-rowcount=${rows.length + 1}>
          <thead><tr aria-rowindex="1">
            <th scope="col" class="stick">Node</th><th scope="col">Zone</th>
            ${ranked ? html`<th scope="col" class="number">Rank</th><th scope="col" class="number">Total</th>` : nothing}
            ${refusing.map(plugin => html`<th scope="col">${plugin}${scoring.includes(plugin) ? html` <small>filter</small>` : nothing}</th>`)}
            ${scoring.map(plugin => html`<th scope="col" class="number">${plugin}${refusing.includes(plugin) ? html` <small>score</small>` : nothing}</th>`)}
          </tr></thead>
          <tbody>
            ${first > 0 ? spacer(first) : nothing}
            ${seen.map((row, i) => html`
              <tr aria-rowindex=${first + i + 2} class=${row.name === this.chosen ? 'chosen' : ''}>
                <th scope="row" class="stick">${row.name}</th>
                <td>${row.zone ?? ''}</td>
                ${ranked ? html`<td class="number">${row.rank ?? ''}</td><td class="number">${row.total ?? (row.leftOut ? 'left out' : '')}</td>` : nothing}
                ${refusing.map(plugin => refusal(row, plugin))}
                ${scoring.map(plugin => scored(row, plugin, most[plugin]))}
              </tr>`)}
            ${after > 0 ? spacer(after) : nothing}
          </tbody>
        </table>
      </div>`;
  }
}

const spacer = rows => html`<tr aria-hidden="true"><td class="spacer" colspan="4"><svg width="1" height=${rows * ROW}></svg></td></tr>`;

function refusal(row, plugin) {
  const found = row.refusals.find(one => one.plugin === plugin);
  if (!found) {
    return html`<td class="pass">${row.leftOut ? '' : '·'}</td>`;
  }
  return html`<td class="refuses" title=${found.text}>${found.detail ?? found.text.replace(/^node\(s\) /, '')}</td>`;
}

const score = (row, plugin) => row.scores?.find(one => one.plugin === plugin);

function scored(row, plugin, most) {
  const found = score(row, plugin);
  if (!found) {
    return html`<td></td>`;
  }
  return html`<td class="number share${Math.round((4 * found.weighted) / most)}" title="${found.raw} raw, ${found.normalized} × ${found.weight}">${found.weighted}</td>`;
}

const ordered = plugins => [...new Set(plugins)];

customElements.define('berth-matrix', Matrix);
