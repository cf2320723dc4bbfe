(() => {
  'use strict';

  // A part of a page with data-refresh="5" is asked for again every 5 seconds while the page is visible. It waits while the person enters
  // something in it, and keeps the focus.
  const due = new Map();

  function refresh() {
    if (document.visibilityState !== 'visible') {
      return;
    }
    const now = Date.now();
    for (const part of document.querySelectorAll('[data-refresh][id]')) {
      if (!due.has(part.id)) {
        due.set(part.id, now + part.dataset.refresh * 1000);
      } else if (due.get(part.id) <= now && !isEntering(part)) {
        due.set(part.id, now + part.dataset.refresh * 1000);
        replace(part);
      }
    }
  }

  function isEntering(part) {
    const active = document.activeElement;
    return part.contains(active) && active.matches('input, select, textarea') || part.contains(getSelection().anchorNode) && !getSelection().isCollapsed;
  }

  async function replace(part) {
    const focused = [...part.querySelectorAll('a, button, summary')].indexOf(document.activeElement);
    const open = [...part.querySelectorAll('details')].map(details => details.open);
    await htmx.ajax('GET', location.href, {target: part, swap: 'outerHTML', select: '#' + part.id});
    const fresh = document.getElementById(part.id);
    fresh?.querySelectorAll('details').forEach((details, i) => details.open = open[i] ?? details.open);
    if (focused >= 0 && !fresh?.contains(document.activeElement)) {
      fresh?.querySelectorAll('a, button, summary')[focused]?.focus({preventScroll: true});
    }
    showCopyButtons();
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

  function showCopyButtons() {
    for (const button of document.querySelectorAll('[data-copy]')) {
      button.hidden = false;
    }
  }

  // a whole key goes into the body of a request, never into a URL
  function hideKey(form) {
    const box = form.querySelector('[data-key-action]');
    if (box && /^\s*sk_(test|live)_\S{20,}\s*$/.test(box.value)) {
      form.method = 'post';
      const token = document.createElement('input');
      token.type = 'hidden';
      token.name = '_csrf';
      token.value = box.dataset.csrf;
      form.append(token);
    }
  }

  document.addEventListener('submit', event => {
    const form = event.target;
    hideKey(form);
    // a second click sends nothing while the first one is under way
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
  document.addEventListener('htmx:afterRequest', event => {
    document.getElementById('stale').hidden = event.detail.successful;
  });
  // a phone shows only a part of the menu
  document.querySelector('.menu [aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'});
  addEventListener('pageshow', event => event.persisted && location.reload());
  showCopyButtons();
  setInterval(refresh, 1000);
})();
