// The guide works without this file: it adds tabs, copy buttons, the address of this installation, and the place in the contents.
'use strict';

for (const place of document.querySelectorAll('.base-url')) {
  place.textContent = location.origin;
}

const contents = document.querySelector('.contents');
if (matchMedia('(max-width: 62rem)').matches) {
  contents.open = false;
}

const copy = async (pre) => {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    // no clipboard on plain http, or not allowed
    getSelection().selectAllChildren(pre);
    return document.execCommand('copy');
  }
};

const announcement = document.createElement('p');
announcement.className = 'unseen';
announcement.setAttribute('role', 'status');
document.querySelector('main').append(announcement);

for (const pre of document.querySelectorAll('main pre')) {
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const word = document.createTextNode('Copy');
  // a list of the page's buttons, which screen readers offer, must tell them apart
  const what = document.createElement('span');
  what.className = 'unseen';
  what.textContent = ' ' + pre.dataset.copy;
  button.append(word, what);
  let reset;
  button.addEventListener('click', async () => {
    word.data = (await copy(pre)) ? 'Copied' : 'Not copied';
    announcement.textContent = word.data;
    clearTimeout(reset);
    reset = setTimeout(() => {
      word.data = 'Copy';
      announcement.textContent = '';
    }, 2000);
  });
  pre.tabIndex = 0;
  frame.append(button, pre);
}

for (const tabs of document.querySelectorAll('.tabs')) {
  tabs.classList.add('with-tabs');
  const buttons = [...tabs.querySelectorAll('[role="tab"]')];
  const select = (chosen) => {
    for (const button of buttons) {
      const selected = button === chosen;
      button.setAttribute('aria-selected', String(selected));
      button.tabIndex = selected ? 0 : -1;
      document.getElementById(button.getAttribute('aria-controls')).hidden = !selected;
    }
  };
  buttons.forEach((button, index) => {
    button.addEventListener('click', () => select(button));
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) {
        const next = buttons[(index + step + buttons.length) % buttons.length];
        select(next);
        next.focus();
      }
    });
  });
  select(buttons[0]);
}

const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
const mark = () => {
  const read = [...links.keys()].filter((id) => document.getElementById(id).getBoundingClientRect().top < innerHeight / 3);
  const current = read.at(-1) ?? [...links.keys()][0];
  for (const [id, link] of links) {
    if (id === current) {
      link.setAttribute('aria-current', 'true');
    } else {
      link.removeAttribute('aria-current');
    }
  }
};
addEventListener('scroll', mark, { passive: true });
mark();
