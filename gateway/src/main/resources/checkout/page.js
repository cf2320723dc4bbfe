(() => {
  'use strict';

  // The server repeats the status every 30 s; after this silence the connection counts as lost.
  const SILENCE_MAX = 75000;
  const announcement = document.getElementById('announcement');
  let main;
  let endsAt;
  let events;
  let heardAt;
  let failures = 0;
  let again;
  let loading = false;

  const isLive = () => main.dataset.live === 'true';

  // 5, 10, 20, 40, 60 s, ±50 %, so that the pages of a restarted gateway do not all come back at once.
  const pause = () => Math.min(60, 5 * 2 ** failures++) * (500 + 1000 * Math.random());

  function begin() {
    main = document.querySelector('main');
    const seconds = main.dataset.secondsLeft;
    endsAt = seconds === undefined ? undefined : Date.now() + 1000 * seconds;
    const button = document.getElementById('copy');
    if (button) {
      button.hidden = false;
      button.addEventListener('click', () => copy(button));
    }
    const print = document.getElementById('print');
    if (print) {
      print.hidden = false;
      print.addEventListener('click', () => window.print());
    }
    count();
  }

  async function copy(button) {
    const code = document.getElementById('code');
    let copied = false;
    try {
      await navigator.clipboard.writeText(code.value);
      copied = true;
    } catch {
      // no clipboard on plain http, or not allowed
      code.focus();
      code.select();
      copied = document.execCommand('copy');
      if (copied) {
        button.focus();
      }
    }
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    button.textContent = copied ? button.dataset.done : button.dataset.failed;
    announcement.textContent = button.textContent;
    clearTimeout(button.reset);
    button.reset = setTimeout(() => {
      button.textContent = label;
      announcement.textContent = '';
    }, 4000);
  }

  function count() {
    const view = document.getElementById('countdown');
    if (!view || endsAt === undefined) {
      return;
    }
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    const two = number => String(number).padStart(2, '0');
    const days = Math.floor(left / 86400);
    const clock = [Math.floor(left / 3600), two(Math.floor(left / 60) % 60), two(left % 60)];
    const text = days > 1 ? days + ' ' + view.dataset.days : (clock[0] > 0 ? clock : clock.slice(1)).join(':');
    view.textContent = left > 0 ? view.dataset.text + ' ' + text : view.dataset.over;
    view.hidden = false;
  }

  // Loads this page again and takes its content: only the server writes HTML.
  async function refresh() {
    if (loading) {
      return;
    }
    loading = true;
    try {
      const response = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } });
      if (!response.ok) {
        throw new Error(response.status);
      }
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const hadFocus = main.contains(document.activeElement);
      const before = main.dataset.status;
      main.replaceWith(page.querySelector('main'));
      begin();
      document.title = page.title;
      if (main.dataset.status !== before) {
        announcement.textContent = main.querySelector('h1').textContent;
      }
      if (hadFocus) {
        main.querySelector('h1').focus();
      }
      loading = false;
    } catch {
      setTimeout(() => {
        loading = false;
        refresh();
      }, pause());
      return;
    }
    if (!isLive() && events) {
      events.close();
    }
  }

  function connect() {
    clearTimeout(again);
    if (events) {
      events.close();
    }
    if (!isLive()) {
      return;
    }
    heardAt = Date.now();
    events = new EventSource(location.pathname + '/events');
    events.addEventListener('status', event => {
      heardAt = Date.now();
      failures = 0;
      if (event.data !== main.dataset.status) {
        refresh();
      }
    });
    events.addEventListener('error', () => {
      // the browser itself reconnects after a closed connection, but not after an answer such as 503
      if (events.readyState === EventSource.CLOSED) {
        clearTimeout(again);
        again = setTimeout(connect, pause());
      }
    });
  }

  function wake() {
    if (isLive() && document.visibilityState === 'visible' && events.readyState !== EventSource.OPEN) {
      connect();
    }
  }

  setInterval(() => {
    count();
    if (isLive() && events.readyState !== EventSource.CLOSED && Date.now() - heardAt > SILENCE_MAX) {
      connect();
    }
  }, 1000);
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('pageshow', event => {
    if (event.persisted) {
      refresh();
      connect();
    }
  });
  begin();
  connect();
})();
