(() => {
  'use strict';

  // Draws the columns of a table that have a data-unit, by uPlot. The table has the same values, so without this script nothing is missing.
  const place = document.querySelector('[data-charts]');
  const table = document.getElementById(place.dataset.charts);
  const rows = [...table.tBodies[0].rows].reverse();
  const days = rows.map(row => Date.parse(row.dataset.day + 'T00:00:00Z') / 1000);
  const locale = place.dataset.locale;
  const dates = new Intl.DateTimeFormat(locale, {day: '2-digit', month: '2-digit', timeZone: 'UTC'});
  const numbers = new Intl.NumberFormat(locale, {notation: 'compact'});
  const charts = [];

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function duration(seconds) {
    return seconds < 100 ? `${Math.round(seconds)} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  }

  function draw(head) {
    const column = head.cellIndex;
    const values = rows.map(row => row.cells[column].dataset.value === '' ? null : Number(row.cells[column].dataset.value));
    const shown = head.dataset.unit === 'seconds' ? duration : value => numbers.format(value);
    const axis = {stroke: color('--quiet'), grid: {stroke: color('--line'), width: 1}, ticks: {show: false}};
    const figure = document.createElement('figure');
    figure.className = 'stack';
    figure.setAttribute('aria-hidden', 'true');
    place.append(figure);
    const chart = new uPlot({
      title: head.textContent,
      width: place.clientWidth,
      height: 200,
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      cursor: {drag: {x: false, y: false}},
      scales: {y: {range: (self, min, max) => [0, max > 0 ? max * 1.1 : 1]}},
      axes: [
        {...axis, values: (self, ticks) => ticks.map(tick => dates.format(tick * 1000))},
        {...axis, size: 64, values: (self, ticks) => ticks.map(shown)}
      ],
      series: [
        {label: table.tHead.rows[0].cells[0].textContent, value: (self, day) => day === null ? '–' : dates.format(day * 1000)},
        {
          label: head.textContent,
          stroke: color('--accent'),
          fill: color('--good-tint'),
          width: 2,
          points: {show: days.length < 10},
          value: (self, value, series, index) => index === null || index === undefined ? '–' : rows[index].cells[column].textContent
        }
      ]
    }, [days, values], figure);
    charts.push([chart, figure]);
  }

  function resize() {
    for (const [chart, figure] of charts) {
      chart.setSize({width: figure.clientWidth, height: 200});
    }
  }

  for (const head of table.querySelectorAll('th[data-unit]')) {
    draw(head);
  }
  resize();
  addEventListener('resize', resize);
  table.closest('details').open = false;
})();
