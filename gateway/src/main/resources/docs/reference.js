// Shows /openapi.json with Swagger UI, and sends requests with keys of the test mode only.
'use strict';

const TEST_KEY = 'Bearer sk_test_';
// of the examples; a request with it is sent with a platform of the key's merchant
const EXAMPLE_PLATFORM = '7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59';

async function ownPlatform(key) {
  const answer = await fetch('/api/v1/platforms', { headers: { Authorization: key } });
  return answer.ok ? (await answer.json()).platforms[0]?.id : undefined;
}

// Swagger UI puts a link into the button of each operation; a screen reader finds only one of them
const withoutNestedLinks = () => ({
  wrapComponents: {
    DeepLink: (original, { React }) => ({ children, text }) => React.createElement('span', null, children ?? text),
  },
});

// what a screen reader and a keyboard need, and Swagger UI leaves out
function describe(root) {
  for (const select of root.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('tr, label, .servers, .response-control-media-type, .examples-select');
    select.setAttribute('aria-label', row?.querySelector('.parameter__name, small, span')?.textContent || 'Value');
  }
  for (const pre of root.querySelectorAll('pre:not([tabindex])')) {
    pre.tabIndex = 0;
  }
  for (const heading of root.querySelectorAll('h3.opblock-tag:not([aria-level])')) {
    heading.setAttribute('aria-level', '2');
  }
  for (const heading of root.querySelectorAll('.opblock :is(h4, h5):not([aria-level])')) {
    heading.setAttribute('aria-level', '3');
  }
}

const reference = document.getElementById('reference');
new MutationObserver(() => describe(reference)).observe(reference, { childList: true, subtree: true });

window.ui = SwaggerUIBundle({
  plugins: [withoutNestedLinks],
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // the fields stand at each operation
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  // the page shows the request also when the interceptor refuses it
  showMutatedRequest: false,
  // null: no badge, which an outside host would draw
  validatorUrl: null,
  requestInterceptor: async (request) => {
    const key = request.headers?.Authorization;
    if (key && !key.startsWith(TEST_KEY)) {
      throw new Error('This page sends requests with test keys only.');
    }
    if (key && typeof request.body === 'string' && request.body.includes(EXAMPLE_PLATFORM)) {
      request.body = request.body.replaceAll(EXAMPLE_PLATFORM, (await ownPlatform(key)) ?? EXAMPLE_PLATFORM);
    }
    return request;
  },
});
