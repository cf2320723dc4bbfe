(() => {
  'use strict';

  // The live parts of a page: [data-live] names a stream of server-sent events, and each event makes htmx fetch the part again.
  // An element whose part was just replaced is another element, so streams belong to the page, not to the element.
  const streams = new Map();

  function listen() {
    for (const part of document.querySelectorAll('[data-live]')) {
      const address = part.dataset.live;
      if (!streams.has(address)) {
        const stream = new EventSource(address);
        stream.addEventListener('changed', () => {
          for (const live of document.querySelectorAll('[data-live]')) {
            if (live.dataset.live === address && !live.contains(document.activeElement)) {
              htmx.trigger(live, 'changed');
            }
          }
        });
        streams.set(address, stream);
      }
    }
  }

  async function copy(button) {
    const text = document.getElementById(button.dataset.copy).textContent.trim();
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.done;
    } catch {
      // no clipboard on plain http: the text is selected instead
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
    }
  }

  // a second click sends nothing while the first one is under way
  document.addEventListener('submit', event => {
    const form = event.target;
    if (form.dataset.sent) {
      event.preventDefault();
    } else if (form.method === 'post') {
      form.dataset.sent = 'true';
      setTimeout(() => delete form.dataset.sent, 5000);
    }
  });
  document.addEventListener('click', event => {
    const button = event.target.closest('[data-copy]');
    if (button) {
      copy(button);
    }
  });
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
  }
  // a phone shows only a part of the menu
  document.querySelector('.menu [aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'});
  addEventListener('pagehide', () => streams.forEach(stream => stream.close()));
  addEventListener('pageshow', event => event.persisted && location.reload());
  listen();
})();
