(() => {
  'use strict';

  // A part of a page with data-refresh="5" is asked for again every 5 seconds while the page is visible. It waits while the person enters
  // something in it or selects text, and keeps the focus.
  const due = new WeakMap();

  function seconds(part) {
    return (part.dataset.refresh || 5) * 1000;
  }

  function refresh() {
    for (const part of document.visibilityState === 'visible' ? document.querySelectorAll('[data-refresh]') : []) {
      if (!due.has(part)) {
        due.set(part, Date.now() + seconds(part));
      } else if (due.get(part) <= Date.now() && !isUsed(part)) {
        due.set(part, Date.now() + seconds(part));
        replace(part);
      }
    }
  }

  function isUsed(part) {
    const active = document.activeElement;
    const selection = getSelection();
    return part.contains(active) && active.matches('input, select, textarea')
        || !selection.isCollapsed && part.contains(selection.anchorNode);
  }

  /** How to find an element again in the new part. */
  function place(element) {
    const link = element.getAttribute('href');
    return element.id ? '#' + CSS.escape(element.id) : link ? '[href="' + CSS.escape(link) + '"]' : element.localName;
  }

  async function replace(part) {
    const focused = part.contains(document.activeElement) ? place(document.activeElement) : null;
    const open = [...part.querySelectorAll('details')].map(details => details.open);
    const same = part.id ? '#' + part.id : '[data-refresh]';
    await htmx.ajax('GET', location.href, {target: part, swap: 'outerHTML', select: same});
    const fresh = document.querySelector(same);
    fresh?.querySelectorAll('details').forEach((details, i) => details.open = open[i] ?? details.open);
    if (focused) {
      fresh?.querySelector(focused)?.focus({preventScroll: true});
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

  document.addEventListener('submit', event => {
    const form = event.target;
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
